#include "convert.h"

#include <string.h>

/* Adding it to a smaller number rounds that to an integer, which the lower bits then hold. */
static const double round_by = 6755399441055744.0; /* 1.5 * 2^52 */

static int32_t code_of(float number, float scale, double low, double high) {
  double code = (double)number / (double)scale;
  code = code == code ? code : 0.0;
  code = code < low ? low : code;
  code = code > high ? high : code;
  code += round_by;
  int64_t bits;
  memcpy(&bits, &code, sizeof bits);
  return (int32_t)(uint32_t)(uint64_t)bits;
}

void c_quantise_8(const float* restrict numbers, uint8_t* restrict codes, size_t count, float scale,
                  int32_t offset) {
  for (size_t i = 0; i < count; ++i)
    codes[i] = (uint8_t)(code_of(numbers[i], scale, offset, 255.0 + offset) - offset);
}

void c_quantise_16(const float* restrict numbers, uint16_t* restrict codes, size_t count,
                   float scale, int32_t offset) {
  for (size_t i = 0; i < count; ++i)
    codes[i] = (uint16_t)(code_of(numbers[i], scale, offset, 65535.0 + offset) - offset);
}

void c_dequantise_8(const uint8_t* restrict codes, float* restrict numbers, size_t count,
                    float scale, int32_t offset) {
  for (size_t i = 0; i < count; ++i) numbers[i] = scale * (float)(codes[i] + offset);
}

void c_dequantise_16(const uint16_t* restrict codes, float* restrict numbers, size_t count,
                     float scale, int32_t offset) {
  for (size_t i = 0; i < count; ++i) numbers[i] = scale * (float)(codes[i] + offset);
}

void c_quantise_channels(const float* restrict numbers, uint8_t* restrict codes, size_t rows,
                         size_t channels, const float* restrict scales,
                         const int32_t* restrict offsets) {
  for (size_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < channels; ++i)
      codes[row * channels + i] = (uint8_t)(code_of(numbers[row * channels + i], scales[i],
                                                    offsets[i], 255.0 + offsets[i]) -
                                            offsets[i]);
}

void c_dequantise_channels(const uint8_t* restrict codes, float* restrict numbers, size_t rows,
                           size_t channels, const float* restrict scales,
                           const int32_t* restrict offsets) {
  for (size_t row = 0; row < rows; ++row)
    for (size_t i = 0; i < channels; ++i)
      numbers[row * channels + i] = scales[i] * (float)(codes[row * channels + i] + offsets[i]);
}

static uint32_t bits_of(float number) {
  uint32_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

void c_to_halves(const float* restrict numbers, uint16_t* restrict halves, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t bits = bits_of(numbers[i]);
    const int32_t size = (int32_t)(bits & 0x7FFFFFFF);
    const int32_t normal = ((size + 0xFFF + (size >> 13 & 1)) >> 13) - (112 << 10);
    const int32_t small = (int32_t)bits_of(float_of((uint32_t)size) + 0.5f) - 0x3F000000;
    int32_t half = size < (113 << 23) ? small : normal;
    half = size >= 0x477FF000 ? 0x7C00 : half;
    half = size > 0x7F800000 ? 0x7E00 : half;
    halves[i] = (uint16_t)((uint32_t)half | (bits >> 16 & 0x8000));
  }
}

void c_from_halves(const uint16_t* restrict halves, float* restrict numbers, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int32_t size = halves[i] & 0x7FFF;
    const uint32_t normal = ((uint32_t)size << 13) + (112u << 23);
    const uint32_t small = bits_of((float)size * 0x1p-24f);
    uint32_t bits = size < 0x400 ? small : normal;
    bits = size >= 0x7C00 ? normal + (112u << 23) : bits;
    numbers[i] = float_of(bits | (uint32_t)(halves[i] & 0x8000) << 16);
  }
}
