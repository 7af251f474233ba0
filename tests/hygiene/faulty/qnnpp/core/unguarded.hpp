// FAULT platform: includes no header of qnnpp, hence not platform.hpp
namespace qnnpp {}
