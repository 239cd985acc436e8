/* The stages of a scenario and its values, for libraries in C and C++: what `scenario` is for those in Rust.
 *
 *     fill -> encode into an array -> copy -> decode into a fresh message -> compare every field
 *
 * A library's file defines, before it uses the stages,
 *
 *     size_t ENCODE(type, message, to, room)      bytes written, 0 for an error
 *     bool   DECODE(type, message, from, length)  into a fresh message
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A firmware has one scenario, named on the compiler's command line: the others are not part of the program. */
__attribute__((externally_visible)) uint32_t peer_scenario(void);
#define SCENARIO(name) static __attribute__((unused)) uint32_t scenario_##name(void)
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
#define RUN_THE_CHOSEN_SCENARIO \
    uint32_t peer_scenario(void) { return JOINED(scenario_, CHOSEN)(); }

/* What was left of the message in memory may have been read and changed. */
#define OPAQUE(place) __asm__ volatile("" : : "r"(place) : "memory")

#ifdef SPLIT
/* Defined in Rust, where the mailbox is. */
void peer_encode_took(uint32_t cycles);
void peer_decode_took(uint32_t cycles);
void peer_wire(const uint8_t *bytes, size_t length);
void peer_message(size_t size);
static inline uint32_t cycle_count(void) {
    __asm__ volatile("" : : : "memory");
    uint32_t now = *(volatile uint32_t *)0xe0001004;
    __asm__ volatile("" : : : "memory");
    return now;
}
#define TIMED(call, took) ({ uint32_t start_ = cycle_count(); __auto_type value_ = (call); took(cycle_count() - start_); value_; })
#else
#define peer_wire(bytes, length)
#define peer_message(size)
#define TIMED(call, took) (call)
#endif

#ifdef __cplusplus
}
#undef TIMED
#ifdef SPLIT
#define TIMED(call, took) ({ uint32_t start_ = cycle_count(); auto value_ = (call); took(cycle_count() - start_); value_; })
#else
#define TIMED(call, took) (call)
#endif
#endif

/* `message` there and back, with a send and a receive buffer of `size` bytes each; the wire length.
 * Returns 0 from the surrounding function if a stage fails. */
#define ROUND_TRIP(type, size, message, back) ({ \
    uint8_t sent_[size], received_[size]; \
    peer_message(sizeof(message)); \
    OPAQUE(&(message)); \
    OPAQUE(sent_); \
    size_t length_ = TIMED(ENCODE(type, message, sent_, sizeof sent_), peer_encode_took); \
    if (length_ == 0) return 0; \
    peer_wire(sent_, length_); \
    memcpy(received_, sent_, length_); \
    OPAQUE(received_); \
    if (!TIMED(DECODE(type, back, received_, length_), peer_decode_took)) return 0; \
    OPAQUE(&(back)); \
    (uint32_t)length_; \
})

/* The first half alone. */
#define ENCODE_ONLY(type, size, message) ({ \
    uint8_t sent_[size]; \
    peer_message(sizeof(message)); \
    OPAQUE(&(message)); \
    OPAQUE(sent_); \
    size_t length_ = TIMED(ENCODE(type, message, sent_, sizeof sent_), peer_encode_took); \
    OPAQUE(sent_); \
    peer_wire(sent_, length_); \
    (uint32_t)length_; \
})

/* The second half alone. */
#define DECODE_ONLY(type, wire, back) ({ \
    const uint8_t *from_ = (wire); \
    size_t length_ = sizeof(wire); \
    __asm__ volatile("" : "+r"(from_), "+r"(length_)); \
    peer_wire(from_, length_); \
    peer_message(sizeof(back)); \
    if (!TIMED(DECODE(type, back, from_, length_), peer_decode_took)) return 0; \
    OPAQUE(&(back)); \
    (uint32_t)length_; \
})

enum {
    VALUE_DEVICE_ID = 4660,
    VALUE_BATTERY_MV = 3712,
    VALUE_RSSI = -67,
    VALUE_SAMPLE_COUNT = 20,
    VALUE_VERSION = 3,
    VALUE_REPORT_INTERVAL_MS = 5000,
    VALUE_SEQUENCE = 42,
    VALUE_MOVE_TO = -100,
    VALUE_OFFSET = 4096,
    VALUE_TOTAL_SIZE = 131072,
    VALUE_DATA_LENGTH = 256,
    VALUE_WINDOW = 32,
};
#define VALUE_TIMESTAMP 1700000000000ull
#define VALUE_TEMPERATURE 21.5f
#define VALUE_HUMIDITY 48.25f
#define VALUE_DEVICE_NAME "motor-controller-01"
#define VALUE_CRC32 0xdeadbeefu
#define VALUE_LABEL "growth"

/* Sample and chunk data by index. */
static inline uint32_t sample_offset_ms(uint32_t i) { return 50 * i; }
static inline float sample_x(uint32_t i) { return 0.5f + (float)i; }
static inline float sample_y(uint32_t i) { return -1.25f * (float)(i + 1); }
static inline float sample_z(uint32_t i) { return 9.75f + (float)i; }
static inline uint8_t chunk_data(uint32_t i) { return (uint8_t)(7 * i + 3); }

/* The bytes of the telemetry message, for the scenario that only decodes. */
#define TELEMETRY_WIRE \
    {0x08, 0xb4, 0x24, 0x10, 0x80, 0xd0, 0x95, 0xff, 0xbc, 0x31, 0x1d, 0x00, 0x00, 0xac, \
     0x41, 0x25, 0x00, 0x00, 0x41, 0x42, 0x28, 0x80, 0x1d, 0x30, 0x01, 0x38, 0x85, 0x01}

/* `ONE(shape, 01, 1)` for each growth type. */
#define GROWTH_1(ONE, shape) ONE(shape, 01, 1)
#define GROWTH_5(ONE, shape) GROWTH_1(ONE, shape) ONE(shape, 02, 2) ONE(shape, 03, 3) ONE(shape, 04, 4) ONE(shape, 05, 5)
#define GROWTH_20(ONE, shape) GROWTH_5(ONE, shape) \
    ONE(shape, 06, 6) ONE(shape, 07, 7) ONE(shape, 08, 8) ONE(shape, 09, 9) ONE(shape, 10, 10) \
    ONE(shape, 11, 11) ONE(shape, 12, 12) ONE(shape, 13, 13) ONE(shape, 14, 14) ONE(shape, 15, 15) \
    ONE(shape, 16, 16) ONE(shape, 17, 17) ONE(shape, 18, 18) ONE(shape, 19, 19) ONE(shape, 20, 20)

/* The scenarios of 1, 5 and 20 types of one shape, from `static uint32_t shape_01(void)` and so on. */
#define ADD_GROWTH(shape, nn, n) \
    if ((length = shape##_##nn()) == 0) return 0; \
    sum += length;
#define GROWTH_SCENARIO(name, LIST, shape) \
    SCENARIO(name) { \
        uint32_t length, sum = 0; \
        LIST(ADD_GROWTH, shape) \
        return sum; \
    }
