/* The scenarios in nanopb. */
#include "scenario.h"

#include "comparison.pb.h"
#include "comparison_varied.pb.h"
#include "firmware_chunk_streamed.pb.h"
#include "pb_decode.h"
#include "pb_encode.h"

static inline size_t encode(const pb_msgdesc_t *fields, const void *message, uint8_t *to, size_t room) {
    pb_ostream_t stream = pb_ostream_from_buffer(to, room);
    return pb_encode(&stream, fields, message) ? stream.bytes_written : 0;
}

static inline bool decode(const pb_msgdesc_t *fields, void *message, const uint8_t *from, size_t length) {
    pb_istream_t stream = pb_istream_from_buffer(from, length);
    return pb_decode(&stream, fields, message);
}

#define ENCODE(type, message, to, room) encode(type##_fields, &(message), to, room)
#define DECODE(type, message, from, length) decode(type##_fields, &(message), from, length)

static inline comparison_Telemetry telemetry_message(void) {
    return (comparison_Telemetry){
        .device_id = VALUE_DEVICE_ID,
        .timestamp = VALUE_TIMESTAMP,
        .temperature = VALUE_TEMPERATURE,
        .humidity = VALUE_HUMIDITY,
        .battery_mv = VALUE_BATTERY_MV,
        .status = comparison_Status_WARNING,
        .rssi = VALUE_RSSI,
    };
}

SCENARIO(telemetry) {
    comparison_Telemetry message = telemetry_message(), back = comparison_Telemetry_init_zero;
    uint32_t length = ROUND_TRIP(comparison_Telemetry, 64, message, back);
    if (back.device_id != VALUE_DEVICE_ID || back.timestamp != VALUE_TIMESTAMP || back.temperature != VALUE_TEMPERATURE) return 0;
    if (back.humidity != VALUE_HUMIDITY || back.battery_mv != VALUE_BATTERY_MV) return 0;
    if (back.status != comparison_Status_WARNING || back.rssi != VALUE_RSSI) return 0;
    return length;
}

SCENARIO(telemetry_encode) {
    comparison_Telemetry message = telemetry_message();
    return ENCODE_ONLY(comparison_Telemetry, 64, message);
}

SCENARIO(telemetry_decode) {
    static const uint8_t wire[] = TELEMETRY_WIRE;
    comparison_Telemetry back = comparison_Telemetry_init_zero;
    return DECODE_ONLY(comparison_Telemetry, wire, back);
}

SCENARIO(telemetry_batch) {
    comparison_TelemetryBatch message = comparison_TelemetryBatch_init_zero, back = comparison_TelemetryBatch_init_zero;
    message.device_id = VALUE_DEVICE_ID;
    message.timestamp = VALUE_TIMESTAMP;
    for (uint32_t i = 0; i < VALUE_SAMPLE_COUNT; i++) {
        message.samples[message.samples_count++] =
            (comparison_Sample){sample_offset_ms(i), sample_x(i), sample_y(i), sample_z(i)};
    }
    uint32_t length = ROUND_TRIP(comparison_TelemetryBatch, 512, message, back);
    if (back.device_id != VALUE_DEVICE_ID || back.timestamp != VALUE_TIMESTAMP || back.samples_count != VALUE_SAMPLE_COUNT) return 0;
    for (uint32_t i = 0; i < VALUE_SAMPLE_COUNT; i++) {
        const comparison_Sample *sample = &back.samples[i];
        if (sample->offset_ms != sample_offset_ms(i) || sample->x != sample_x(i)) return 0;
        if (sample->y != sample_y(i) || sample->z != sample_z(i)) return 0;
    }
    return length;
}

static inline bool is_uart(const comparison_Peripheral *p, uint32_t index, uint32_t baud, bool parity) {
    return p->index == index && p->which_kind == comparison_Peripheral_uart_tag && p->kind.uart.baud == baud
        && p->kind.uart.data_bits == 8 && p->kind.uart.parity == parity;
}

SCENARIO(configuration) {
    comparison_Configuration message = comparison_Configuration_init_zero, back = comparison_Configuration_init_zero;
    message.version = VALUE_VERSION;
    strcpy(message.device_name, VALUE_DEVICE_NAME);
    message.has_report_interval_ms = true;
    message.report_interval_ms = VALUE_REPORT_INTERVAL_MS;
    message.peripherals_count = 4;
    message.peripherals[0] =
        (comparison_Peripheral){.index = 0, .which_kind = comparison_Peripheral_uart_tag, .kind.uart = {115200, 8, false}};
    message.peripherals[1] =
        (comparison_Peripheral){.index = 1, .which_kind = comparison_Peripheral_uart_tag, .kind.uart = {9600, 8, true}};
    message.peripherals[2] =
        (comparison_Peripheral){.index = 2, .which_kind = comparison_Peripheral_spi_tag, .kind.spi = {16, true, false}};
    message.peripherals[3] =
        (comparison_Peripheral){.index = 3, .which_kind = comparison_Peripheral_motor_tag, .kind.motor = {3000, true, 12}};
    uint32_t length = ROUND_TRIP(comparison_Configuration, 256, message, back);
    if (back.version != VALUE_VERSION || strcmp(back.device_name, VALUE_DEVICE_NAME) != 0 || back.peripherals_count != 4) return 0;
    if (!back.has_report_interval_ms || back.report_interval_ms != VALUE_REPORT_INTERVAL_MS) return 0;
    const comparison_Peripheral *p = back.peripherals;
    if (!is_uart(&p[0], 0, 115200, false) || !is_uart(&p[1], 1, 9600, true)) return 0;
    if (p[2].index != 2 || p[2].which_kind != comparison_Peripheral_spi_tag || p[2].kind.spi.prescaler != 16) return 0;
    if (!p[2].kind.spi.cpol || p[2].kind.spi.cpha) return 0;
    if (p[3].index != 3 || p[3].which_kind != comparison_Peripheral_motor_tag || p[3].kind.motor.max_speed != 3000) return 0;
    if (!p[3].kind.motor.invert || p[3].kind.motor.home_pin != 12) return 0;
    return length;
}

SCENARIO(command) {
    comparison_DeviceCommand command = {
        .sequence = VALUE_SEQUENCE, .which_action = comparison_DeviceCommand_move_to_tag, .action.move_to = VALUE_MOVE_TO};
    comparison_DeviceCommand command_back = comparison_DeviceCommand_init_zero;
    uint32_t there = ROUND_TRIP(comparison_DeviceCommand, 32, command, command_back);
    if (command_back.sequence != VALUE_SEQUENCE || command_back.which_action != comparison_DeviceCommand_move_to_tag) return 0;
    if (command_back.action.move_to != VALUE_MOVE_TO) return 0;
    comparison_DeviceAck ack = {.sequence = VALUE_SEQUENCE, .result = comparison_CommandResult_ACCEPTED};
    comparison_DeviceAck ack_back = comparison_DeviceAck_init_zero;
    uint32_t back = ROUND_TRIP(comparison_DeviceAck, 32, ack, ack_back);
    if (ack_back.sequence != VALUE_SEQUENCE || ack_back.result != comparison_CommandResult_ACCEPTED) return 0;
    return there + back;
}

SCENARIO(firmware_chunk) {
    comparison_FirmwareChunk message = comparison_FirmwareChunk_init_zero, back = comparison_FirmwareChunk_init_zero;
    message.offset = VALUE_OFFSET;
    message.total_size = VALUE_TOTAL_SIZE;
    for (uint32_t i = 0; i < VALUE_DATA_LENGTH; i++) message.data.bytes[message.data.size++] = chunk_data(i);
    message.crc32 = VALUE_CRC32;
    uint32_t length = ROUND_TRIP(comparison_FirmwareChunk, 512, message, back);
    if (back.offset != VALUE_OFFSET || back.total_size != VALUE_TOTAL_SIZE || back.crc32 != VALUE_CRC32 || back.data.size != VALUE_DATA_LENGTH) return 0;
    for (uint32_t i = 0; i < VALUE_DATA_LENGTH; i++) {
        if (back.data.bytes[i] != chunk_data(i)) return 0;
    }
    return length;
}

/* The payload is made and checked in windows; nowhere is it in memory as a whole but on the wire. */
static bool send_data(pb_ostream_t *stream, const pb_field_t *field, void *const *arg) {
    (void)arg;
    if (!pb_encode_tag_for_field(stream, field) || !pb_encode_varint(stream, VALUE_DATA_LENGTH)) return false;
    uint8_t window[VALUE_WINDOW];
    for (uint32_t at = 0; at < VALUE_DATA_LENGTH; at += VALUE_WINDOW) {
        for (uint32_t i = 0; i < VALUE_WINDOW; i++) window[i] = chunk_data(at + i);
        if (!pb_write(stream, window, VALUE_WINDOW)) return false;
    }
    return true;
}

static bool receive_data(pb_istream_t *stream, const pb_field_t *field, void **arg) {
    (void)field;
    uint32_t *seen = (uint32_t *)*arg;
    uint8_t window[VALUE_WINDOW];
    while (stream->bytes_left != 0) {
        size_t length = stream->bytes_left < VALUE_WINDOW ? stream->bytes_left : VALUE_WINDOW;
        if (!pb_read(stream, window, length)) return false;
        for (size_t i = 0; i < length; i++) {
            if (window[i] != chunk_data((*seen)++)) return false;
        }
    }
    return true;
}

SCENARIO(firmware_chunk_streamed) {
    comparison_streamed_FirmwareChunk message = comparison_streamed_FirmwareChunk_init_zero;
    comparison_streamed_FirmwareChunk back = comparison_streamed_FirmwareChunk_init_zero;
    uint32_t seen = 0;
    message.offset = VALUE_OFFSET;
    message.total_size = VALUE_TOTAL_SIZE;
    message.crc32 = VALUE_CRC32;
    message.data.funcs.encode = send_data;
    back.data.funcs.decode = receive_data;
    back.data.arg = &seen;
    uint32_t length = ROUND_TRIP(comparison_streamed_FirmwareChunk, 512, message, back);
    if (back.offset != VALUE_OFFSET || back.total_size != VALUE_TOTAL_SIZE || back.crc32 != VALUE_CRC32 || seen != VALUE_DATA_LENGTH) return 0;
    return length;
}

#define ONE_OF(type, shape, nn, n) \
    static __attribute__((noinline, unused)) uint32_t shape##_##nn(void) { \
        type message = {0}, back = {0}; \
        message.id = 100 + n; \
        message.value = -10 - n; \
        message.measure = 1.5f * n; \
        message.flag = true; \
        strcpy(message.label, VALUE_LABEL); \
        uint32_t length = ROUND_TRIP(type, 64, message, back); \
        if (back.id != 100 + n || back.value != -10 - n || back.measure != 1.5f * n || !back.flag) return 0; \
        return strcmp(back.label, VALUE_LABEL) == 0 ? length : 0; \
    }
#define EQUAL(shape, nn, n) ONE_OF(comparison_Growth_##nn, shape, nn, n)
#define VARIED(shape, nn, n) ONE_OF(comparison_varied_Growth_##nn, shape, nn, n)

GROWTH_20(EQUAL, equal)
GROWTH_20(VARIED, varied)
GROWTH_SCENARIO(growth_1, GROWTH_1, equal)
GROWTH_SCENARIO(growth_5, GROWTH_5, equal)
GROWTH_SCENARIO(growth_20, GROWTH_20, equal)
GROWTH_SCENARIO(growth_1_varied, GROWTH_1, varied)
GROWTH_SCENARIO(growth_5_varied, GROWTH_5, varied)
GROWTH_SCENARIO(growth_20_varied, GROWTH_20, varied)

RUN_THE_CHOSEN_SCENARIO
