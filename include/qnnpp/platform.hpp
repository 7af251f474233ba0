// Checks of the compiler and its target. A check that fails ends the compilation with one sentence.
//
// The sentence is the name of a file that does not exist, because a missing file ends a compilation
// at once. After an #error or a static_assert, hundreds of errors would follow. Every header
// includes this one, often through others, before code or headers that need a supported target.
#pragma once

#if !defined(__linux__)
#include "qnnpp needs Linux or Android; compile for one of them"
#elif defined(__ANDROID_API__) && __ANDROID_API__ < 21
#include "qnnpp needs Android API 21; compile for android-21 or later"
#elif __SIZEOF_POINTER__ != 8
#include "qnnpp needs a 64-bit target; compile for arm64 or x86-64"
#elif __cplusplus < 202002L
#include "qnnpp needs C++20; compile with -std=c++20"
#endif
