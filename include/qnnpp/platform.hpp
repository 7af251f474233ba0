// What qnnpp needs of a compiler and its target, in one sentence where it is missing.
//
// Each sentence is the name of a file that does not exist, as a missing file ends a compilation at
// once. After an #error or a static_assert, hundreds of errors would follow. Hence every header
// includes this one, by way of others, before code or a header that only a supported target has.
#pragma once

#if !defined(__linux__)
#include "qnnpp needs Linux or Android; compile for one of them"
#elif __SIZEOF_POINTER__ != 8
#include "qnnpp needs a 64-bit target; compile for arm64 or x86-64"
#elif __cplusplus < 202002L
#include "qnnpp needs C++20; compile with -std=c++20"
#endif
