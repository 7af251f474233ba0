// clang-tidy reports this file.
const char* text = 0;
