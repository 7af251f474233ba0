/* Loops that convert numbers to the elements of a tensor and back, as a C program writes them for
   the compiler to vectorise. They give the same codes as the definition: number / scale in double
   precision is rounded, ties to even. `offset` as in QNN: number = scale * (code + offset). */
#ifndef QNNPP_BENCH_BASELINE_CONVERT_H
#define QNNPP_BENCH_BASELINE_CONVERT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One scale and offset for all of `count` elements. */
void c_quantise_8(const float* numbers, uint8_t* codes, size_t count, float scale, int32_t offset);
void c_quantise_16(const float* numbers, uint16_t* codes, size_t count, float scale,
                   int32_t offset);
void c_dequantise_8(const uint8_t* codes, float* numbers, size_t count, float scale,
                    int32_t offset);
void c_dequantise_16(const uint16_t* codes, float* numbers, size_t count, float scale,
                     int32_t offset);

/* A scale and offset for each of `channels`, the last dimension of [rows, channels]. */
void c_quantise_channels(const float* numbers, uint8_t* codes, size_t rows, size_t channels,
                         const float* scales, const int32_t* offsets);
void c_dequantise_channels(const uint8_t* codes, float* numbers, size_t rows, size_t channels,
                           const float* scales, const int32_t* offsets);

/* Halves, by their bits. */
void c_to_halves(const float* numbers, uint16_t* halves, size_t count);
void c_from_halves(const uint16_t* halves, float* numbers, size_t count);

#ifdef __cplusplus
}
#endif

#endif
