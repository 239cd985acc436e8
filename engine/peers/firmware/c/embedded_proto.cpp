/* The scenarios in Embedded Proto. Its buffers own their arrays, so the stages stand here. */
#include "scenario.h"

#include <EmbeddedProto/ReadBufferFixedSize.h>
#include <EmbeddedProto/WriteBufferFixedSize.h>

#include "comparison.h"
#include "comparison_varied.h"
#include "firmware_chunk_streamed.h"

using EmbeddedProto::Error;

template <uint32_t SIZE, class Message>
static inline uint32_t encode_only(Message &message) {
    EmbeddedProto::WriteBufferFixedSize<SIZE> sent;
    peer_message(sizeof message);
    OPAQUE(&message);
    OPAQUE(sent.get_data());
    if (TIMED(message.serialize(sent), peer_encode_took) != Error::NO_ERRORS) return 0;
    OPAQUE(sent.get_data());
    peer_wire(sent.get_data(), sent.get_size());
    return sent.get_size();
}

template <uint32_t SIZE, class Message>
static inline uint32_t round_trip(Message &message, Message &back) {
    EmbeddedProto::WriteBufferFixedSize<SIZE> sent;
    EmbeddedProto::ReadBufferFixedSize<SIZE> received;
    peer_message(sizeof message);
    OPAQUE(&message);
    OPAQUE(sent.get_data());
    if (TIMED(message.serialize(sent), peer_encode_took) != Error::NO_ERRORS) return 0;
    uint32_t length = sent.get_size();
    peer_wire(sent.get_data(), length);
    memcpy(received.get_data(), sent.get_data(), length);
    received.set_bytes_written(length);
    OPAQUE(received.get_data());
    if (TIMED(back.deserialize(received), peer_decode_took) != Error::NO_ERRORS) return 0;
    OPAQUE(&back);
    return length;
}

static inline void fill(comparison::Telemetry &message) {
    message.set_device_id(VALUE_DEVICE_ID);
    message.set_timestamp(VALUE_TIMESTAMP);
    message.set_temperature(VALUE_TEMPERATURE);
    message.set_humidity(VALUE_HUMIDITY);
    message.set_battery_mv(VALUE_BATTERY_MV);
    message.set_status(comparison::Status::WARNING);
    message.set_rssi(VALUE_RSSI);
}

SCENARIO(telemetry) {
    comparison::Telemetry message, back;
    fill(message);
    uint32_t length = round_trip<64>(message, back);
    if (back.device_id() != VALUE_DEVICE_ID || back.timestamp() != VALUE_TIMESTAMP || back.temperature() != VALUE_TEMPERATURE) return 0;
    if (back.humidity() != VALUE_HUMIDITY || back.battery_mv() != VALUE_BATTERY_MV) return 0;
    if (back.status() != comparison::Status::WARNING || back.rssi() != VALUE_RSSI) return 0;
    return length;
}

SCENARIO(telemetry_encode) {
    comparison::Telemetry message;
    fill(message);
    return encode_only<64>(message);
}

SCENARIO(telemetry_decode) {
    static const uint8_t wire[] = TELEMETRY_WIRE;
    EmbeddedProto::ReadBufferFixedSize<64> received;
    memcpy(received.get_data(), wire, sizeof wire);
    received.set_bytes_written(sizeof wire);
    OPAQUE(received.get_data());
    peer_wire(received.get_data(), sizeof wire);
    comparison::Telemetry back;
    peer_message(sizeof back);
    if (TIMED(back.deserialize(received), peer_decode_took) != Error::NO_ERRORS) return 0;
    OPAQUE(&back);
    return sizeof wire;
}

SCENARIO(telemetry_batch) {
    comparison::TelemetryBatch message, back;
    message.set_device_id(VALUE_DEVICE_ID);
    message.set_timestamp(VALUE_TIMESTAMP);
    for (uint32_t i = 0; i < VALUE_SAMPLE_COUNT; i++) {
        comparison::Sample &sample = message.mutable_samples(i);
        sample.set_offset_ms(sample_offset_ms(i));
        sample.set_x(sample_x(i));
        sample.set_y(sample_y(i));
        sample.set_z(sample_z(i));
    }
    uint32_t length = round_trip<512>(message, back);
    if (back.device_id() != VALUE_DEVICE_ID || back.timestamp() != VALUE_TIMESTAMP) return 0;
    if (back.samples().get_length() != VALUE_SAMPLE_COUNT) return 0;
    for (uint32_t i = 0; i < VALUE_SAMPLE_COUNT; i++) {
        const comparison::Sample &sample = back.samples(i);
        if (sample.offset_ms() != sample_offset_ms(i) || sample.x() != sample_x(i)) return 0;
        if (sample.y() != sample_y(i) || sample.z() != sample_z(i)) return 0;
    }
    return length;
}

static inline void fill_uart(comparison::Peripheral &p, uint32_t index, uint32_t baud, bool parity) {
    p.set_index(index);
    comparison::UartConfig &uart = p.mutable_uart();
    uart.set_baud(baud);
    uart.set_data_bits(8);
    uart.set_parity(parity);
}

static inline bool is_uart(const comparison::Peripheral &p, uint32_t index, uint32_t baud, bool parity) {
    return p.index() == index && p.has_uart() && p.uart().baud() == baud && p.uart().data_bits() == 8
        && p.uart().parity() == parity;
}

SCENARIO(configuration) {
    comparison::Configuration message, back;
    message.set_version(VALUE_VERSION);
    message.mutable_device_name() = VALUE_DEVICE_NAME;
    fill_uart(message.mutable_peripherals(0), 0, 115200, false);
    fill_uart(message.mutable_peripherals(1), 1, 9600, true);
    comparison::Peripheral &spi = message.mutable_peripherals(2);
    spi.set_index(2);
    spi.mutable_spi().set_prescaler(16);
    spi.mutable_spi().set_cpol(true);
    comparison::Peripheral &motor = message.mutable_peripherals(3);
    motor.set_index(3);
    motor.mutable_motor().set_max_speed(3000);
    motor.mutable_motor().set_invert(true);
    motor.mutable_motor().set_home_pin(12);
    message.set_report_interval_ms(VALUE_REPORT_INTERVAL_MS);
    uint32_t length = round_trip<256>(message, back);
    if (back.version() != VALUE_VERSION || !(back.get_device_name() == VALUE_DEVICE_NAME)) return 0;
    if (!back.has_report_interval_ms() || back.report_interval_ms() != VALUE_REPORT_INTERVAL_MS) return 0;
    if (back.peripherals().get_length() != 4) return 0;
    if (!is_uart(back.peripherals(0), 0, 115200, false) || !is_uart(back.peripherals(1), 1, 9600, true)) return 0;
    const comparison::Peripheral &c = back.peripherals(2), &d = back.peripherals(3);
    if (c.index() != 2 || !c.has_spi() || c.spi().prescaler() != 16 || !c.spi().cpol() || c.spi().cpha()) return 0;
    if (d.index() != 3 || !d.has_motor() || d.motor().max_speed() != 3000) return 0;
    if (!d.motor().invert() || d.motor().home_pin() != 12) return 0;
    return length;
}

SCENARIO(command) {
    comparison::DeviceCommand command, command_back;
    command.set_sequence(VALUE_SEQUENCE);
    command.set_move_to(VALUE_MOVE_TO);
    uint32_t there = round_trip<32>(command, command_back);
    if (command_back.sequence() != VALUE_SEQUENCE || !command_back.has_move_to()) return 0;
    if (command_back.move_to() != VALUE_MOVE_TO) return 0;
    comparison::DeviceAck ack, ack_back;
    ack.set_sequence(VALUE_SEQUENCE);
    ack.set_result(comparison::CommandResult::ACCEPTED);
    uint32_t back = round_trip<32>(ack, ack_back);
    if (ack_back.sequence() != VALUE_SEQUENCE || ack_back.result() != comparison::CommandResult::ACCEPTED) return 0;
    return there != 0 && back != 0 ? there + back : 0;
}

SCENARIO(firmware_chunk) {
    comparison::FirmwareChunk message, back;
    message.set_offset(VALUE_OFFSET);
    message.set_total_size(VALUE_TOTAL_SIZE);
    for (uint32_t i = 0; i < VALUE_DATA_LENGTH; i++) message.mutable_data()[i] = chunk_data(i);
    message.set_crc32(VALUE_CRC32);
    uint32_t length = round_trip<512>(message, back);
    if (back.offset() != VALUE_OFFSET || back.total_size() != VALUE_TOTAL_SIZE || back.crc32() != VALUE_CRC32) return 0;
    if (back.get_data().get_length() != VALUE_DATA_LENGTH) return 0;
    for (uint32_t i = 0; i < VALUE_DATA_LENGTH; i++) {
        if (back.get_data()[i] != chunk_data(i)) return 0;
    }
    return length;
}

/* The payload is made and checked in windows; nowhere is it in memory as a whole but on the wire. */
using Data = EmbeddedProto::BytesStringCallback<uint8_t>;

static uint32_t send_data(void *context, Data::VIEW window) {
    uint32_t &sent = *static_cast<uint32_t *>(context);
    for (uint32_t i = 0; i < window.size; i++) window.data[i] = chunk_data(sent++);
    return window.size;
}

static uint32_t receive_data(void *context, Data::VIEW window) {
    uint32_t &seen = *static_cast<uint32_t *>(context);
    for (uint32_t i = 0; i < window.size; i++) {
        if (window.data[i] != chunk_data(seen++)) return 0;
    }
    return window.size;
}

SCENARIO(firmware_chunk_streamed) {
    comparison::streamed::FirmwareChunk message, back;
    uint8_t window[VALUE_WINDOW];
    uint32_t sent = 0, seen = 0;
    Data::ChunkCallback send, receive;
    send.set(send_data, &sent);
    receive.set(receive_data, &seen);
    message.set_offset(VALUE_OFFSET);
    message.set_total_size(VALUE_TOTAL_SIZE);
    message.set_crc32(VALUE_CRC32);
    message.set_data_length(VALUE_DATA_LENGTH);
    message.set_data_window({window, VALUE_WINDOW});
    message.set_data_on_serialize_chunk(send);
    back.set_data_window({window, VALUE_WINDOW});
    back.set_data_on_deserialize_chunk(receive);
    uint32_t length = round_trip<512>(message, back);
    if (back.offset() != VALUE_OFFSET || back.total_size() != VALUE_TOTAL_SIZE || back.crc32() != VALUE_CRC32 || seen != VALUE_DATA_LENGTH) return 0;
    return length;
}

#define ONE_OF(type, shape, nn, n) \
    static __attribute__((noinline, unused)) uint32_t shape##_##nn(void) { \
        type message, back; \
        message.set_id(100 + n); \
        message.set_value(-10 - n); \
        message.set_measure(1.5f * n); \
        message.set_flag(true); \
        message.mutable_label() = VALUE_LABEL; \
        uint32_t length = round_trip<64>(message, back); \
        if (back.id() != 100 + n || back.value() != -10 - n || back.measure() != 1.5f * n || !back.flag()) return 0; \
        return back.get_label() == VALUE_LABEL ? length : 0; \
    }
#define EQUAL(shape, nn, n) ONE_OF(comparison::Growth_##nn, shape, nn, n)
#define VARIED(shape, nn, n) ONE_OF(comparison::varied::Growth_##nn, shape, nn, n)

GROWTH_20(EQUAL, equal)
GROWTH_20(VARIED, varied)
GROWTH_SCENARIO(growth_1, GROWTH_1, equal)
GROWTH_SCENARIO(growth_5, GROWTH_5, equal)
GROWTH_SCENARIO(growth_20, GROWTH_20, equal)
GROWTH_SCENARIO(growth_1_varied, GROWTH_1, varied)
GROWTH_SCENARIO(growth_5_varied, GROWTH_5, varied)
GROWTH_SCENARIO(growth_20_varied, GROWTH_20, varied)

RUN_THE_CHOSEN_SCENARIO
