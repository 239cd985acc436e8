/* The scenarios in zcbor: CBOR, not protobuf. Strings and bytes of a decoded message point into the buffer. */
#include "scenario.h"

#include "comparison_decode.h"
#include "comparison_encode.h"

#define ENCODE(type, message, to, room) ({ \
    size_t written_; \
    cbor_encode_##type(to, room, &(message), &written_) == ZCBOR_SUCCESS ? written_ : 0; \
})
#define DECODE(type, message, from, length) (cbor_decode_##type(from, length, &(message), NULL) == ZCBOR_SUCCESS)

static inline struct zcbor_string text(const char *text) {
    return (struct zcbor_string){.value = (const uint8_t *)text, .len = strlen(text)};
}

static inline bool is_text(struct zcbor_string got, const char *text) {
    return got.len == strlen(text) && memcmp(got.value, text, got.len) == 0;
}

static inline struct Telemetry telemetry_message(void) {
    return (struct Telemetry){
        .Telemetry_device_id = VALUE_DEVICE_ID,
        .Telemetry_timestamp = VALUE_TIMESTAMP,
        .Telemetry_temperature = VALUE_TEMPERATURE,
        .Telemetry_humidity = VALUE_HUMIDITY,
        .Telemetry_battery_mv = VALUE_BATTERY_MV,
        .Telemetry_status = 1,
        .Telemetry_rssi = VALUE_RSSI,
    };
}

SCENARIO(telemetry) {
    struct Telemetry message = telemetry_message(), back = {0};
    uint32_t length = ROUND_TRIP(Telemetry, 64, message, back);
    if (back.Telemetry_device_id != VALUE_DEVICE_ID || back.Telemetry_timestamp != VALUE_TIMESTAMP) return 0;
    if (back.Telemetry_temperature != VALUE_TEMPERATURE || back.Telemetry_humidity != VALUE_HUMIDITY) return 0;
    if (back.Telemetry_battery_mv != VALUE_BATTERY_MV || back.Telemetry_status != 1) return 0;
    return back.Telemetry_rssi == VALUE_RSSI ? length : 0;
}

SCENARIO(telemetry_encode) {
    struct Telemetry message = telemetry_message();
    return ENCODE_ONLY(Telemetry, 64, message);
}

SCENARIO(telemetry_decode) {
    /* The values as a map of seven entries. */
    static const uint8_t wire[] = {
        0xbf, 0x01, 0x19, 0x12, 0x34, 0x02, 0x1b, 0x00, 0x00, 0x01, 0x8b, 0xcf, 0xe5, 0x68, 0x00, 0x03, 0xfa, 0x41, 0xac,
        0x00, 0x00, 0x04, 0xfa, 0x42, 0x41, 0x00, 0x00, 0x05, 0x19, 0x0e, 0x80, 0x06, 0x01, 0x07, 0x38, 0x42, 0xff,
    };
    struct Telemetry back = {0};
    return DECODE_ONLY(Telemetry, wire, back);
}

SCENARIO(telemetry_batch) {
    struct TelemetryBatch message = {0}, back = {0};
    message.TelemetryBatch_device_id = VALUE_DEVICE_ID;
    message.TelemetryBatch_timestamp = VALUE_TIMESTAMP;
    for (uint32_t i = 0; i < VALUE_SAMPLE_COUNT; i++) {
        message.TelemetryBatch_samples_Sample_m[message.TelemetryBatch_samples_Sample_m_count++] =
            (struct Sample){sample_offset_ms(i), sample_x(i), sample_y(i), sample_z(i)};
    }
    uint32_t length = ROUND_TRIP(TelemetryBatch, 512, message, back);
    if (back.TelemetryBatch_device_id != VALUE_DEVICE_ID || back.TelemetryBatch_timestamp != VALUE_TIMESTAMP) return 0;
    if (back.TelemetryBatch_samples_Sample_m_count != VALUE_SAMPLE_COUNT) return 0;
    for (uint32_t i = 0; i < VALUE_SAMPLE_COUNT; i++) {
        const struct Sample *sample = &back.TelemetryBatch_samples_Sample_m[i];
        if (sample->Sample_offset_ms != sample_offset_ms(i) || sample->Sample_x != sample_x(i)) return 0;
        if (sample->Sample_y != sample_y(i) || sample->Sample_z != sample_z(i)) return 0;
    }
    return length;
}

static inline struct Peripheral uart(uint32_t index, uint32_t baud, bool parity) {
    return (struct Peripheral){.Peripheral_index = index, .kind_uart = {baud, 8, parity}, .Peripheral_kind_choice = kind_uart_c};
}

static inline bool is_uart(const struct Peripheral *p, uint32_t index, uint32_t baud, bool parity) {
    return p->Peripheral_index == index && p->Peripheral_kind_choice == kind_uart_c && p->kind_uart.UartConfig_baud == baud
        && p->kind_uart.UartConfig_data_bits == 8 && p->kind_uart.UartConfig_parity == parity;
}

SCENARIO(configuration) {
    struct Configuration message = {0}, back = {0};
    message.Configuration_version = VALUE_VERSION;
    message.Configuration_device_name = text(VALUE_DEVICE_NAME);
    message.Configuration_report_interval_ms_present = true;
    message.Configuration_report_interval_ms.Configuration_report_interval_ms = VALUE_REPORT_INTERVAL_MS;
    struct Peripheral *to = message.Configuration_peripherals_Peripheral_m;
    message.Configuration_peripherals_Peripheral_m_count = 4;
    to[0] = uart(0, 115200, false);
    to[1] = uart(1, 9600, true);
    to[2] = (struct Peripheral){.Peripheral_index = 2, .kind_spi = {16, true, false}, .Peripheral_kind_choice = kind_spi_c};
    to[3] = (struct Peripheral){.Peripheral_index = 3, .kind_motor = {3000, true, 12}, .Peripheral_kind_choice = kind_motor_c};
    uint32_t length = ROUND_TRIP(Configuration, 256, message, back);
    if (back.Configuration_version != VALUE_VERSION) return 0;
    if (!is_text(back.Configuration_device_name, VALUE_DEVICE_NAME)) return 0;
    if (!back.Configuration_report_interval_ms_present) return 0;
    if (back.Configuration_report_interval_ms.Configuration_report_interval_ms != VALUE_REPORT_INTERVAL_MS) return 0;
    if (back.Configuration_peripherals_Peripheral_m_count != 4) return 0;
    const struct Peripheral *p = back.Configuration_peripherals_Peripheral_m;
    if (!is_uart(&p[0], 0, 115200, false) || !is_uart(&p[1], 1, 9600, true)) return 0;
    if (p[2].Peripheral_index != 2 || p[2].Peripheral_kind_choice != kind_spi_c) return 0;
    if (p[2].kind_spi.SpiConfig_prescaler != 16 || !p[2].kind_spi.SpiConfig_cpol || p[2].kind_spi.SpiConfig_cpha) return 0;
    if (p[3].Peripheral_index != 3 || p[3].Peripheral_kind_choice != kind_motor_c) return 0;
    if (p[3].kind_motor.MotorConfig_max_speed != 3000 || !p[3].kind_motor.MotorConfig_invert) return 0;
    return p[3].kind_motor.MotorConfig_home_pin == 12 ? length : 0;
}

SCENARIO(command) {
    struct DeviceCommand command = {
        .DeviceCommand_sequence = VALUE_SEQUENCE,
        .action_move_to = VALUE_MOVE_TO,
        .DeviceCommand_action_choice = action_move_to_c,
    };
    struct DeviceCommand command_back = {0};
    uint32_t there = ROUND_TRIP(DeviceCommand, 32, command, command_back);
    if (command_back.DeviceCommand_sequence != VALUE_SEQUENCE) return 0;
    if (command_back.DeviceCommand_action_choice != action_move_to_c) return 0;
    if (command_back.action_move_to != VALUE_MOVE_TO) return 0;
    struct DeviceAck ack = {VALUE_SEQUENCE, 1}, ack_back = {0};
    uint32_t back = ROUND_TRIP(DeviceAck, 32, ack, ack_back);
    if (ack_back.DeviceAck_sequence != VALUE_SEQUENCE || ack_back.DeviceAck_result != 1) return 0;
    return there + back;
}

SCENARIO(firmware_chunk) {
    uint8_t data[VALUE_DATA_LENGTH];
    for (uint32_t i = 0; i < VALUE_DATA_LENGTH; i++) data[i] = chunk_data(i);
    struct FirmwareChunk message = {VALUE_OFFSET, VALUE_TOTAL_SIZE, {data, sizeof data}, VALUE_CRC32}, back = {0};
    uint32_t length = ROUND_TRIP(FirmwareChunk, 512, message, back);
    if (back.FirmwareChunk_offset != VALUE_OFFSET || back.FirmwareChunk_total_size != VALUE_TOTAL_SIZE) return 0;
    if (back.FirmwareChunk_crc32 != VALUE_CRC32 || back.FirmwareChunk_data.len != VALUE_DATA_LENGTH) return 0;
    for (uint32_t i = 0; i < VALUE_DATA_LENGTH; i++) {
        if (back.FirmwareChunk_data.value[i] != chunk_data(i)) return 0;
    }
    return length;
}

#define ONE_OF(type, shape, nn, n) \
    static __attribute__((noinline, unused)) uint32_t shape##_##nn(void) { \
        struct type message = {0}, back = {0}; \
        message.type##_id = 100 + n; \
        message.type##_value = -10 - n; \
        message.type##_measure = 1.5f * n; \
        message.type##_flag = true; \
        message.type##_label = text(VALUE_LABEL); \
        uint32_t length = ROUND_TRIP(type, 64, message, back); \
        if (back.type##_id != 100 + n || back.type##_value != -10 - n) return 0; \
        if (back.type##_measure != 1.5f * n || !back.type##_flag) return 0; \
        return is_text(back.type##_label, VALUE_LABEL) ? length : 0; \
    }
#define EQUAL(shape, nn, n) ONE_OF(Growth_##nn, shape, nn, n)
#define VARIED(shape, nn, n) ONE_OF(Varied_##nn, shape, nn, n)

GROWTH_20(EQUAL, equal)
GROWTH_20(VARIED, varied)
GROWTH_SCENARIO(growth_1, GROWTH_1, equal)
GROWTH_SCENARIO(growth_5, GROWTH_5, equal)
GROWTH_SCENARIO(growth_20, GROWTH_20, equal)
GROWTH_SCENARIO(growth_1_varied, GROWTH_1, varied)
GROWTH_SCENARIO(growth_5_varied, GROWTH_5, varied)
GROWTH_SCENARIO(growth_20_varied, GROWTH_20, varied)

RUN_THE_CHOSEN_SCENARIO
