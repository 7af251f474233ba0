// Uses a function that Android has from API 30 on only.
#include <sys/mman.h>

int main() { return ::memfd_create("", 0); }
