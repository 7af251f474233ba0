// Declarations of qnnpp beside those of an invented SDK. They are equal, or, with PLANTED defined,
// each record has one change. The comparisons of verify_sdk.hpp must detect each change.
#include "qnnpp/abi/verify_sdk/same.hpp"

struct Tensor;
struct Handle_;
using Handle = Handle_*;
enum class Option : std::uint32_t { first = 1, undefined = 0x7FFFFFFF };
inline constexpr std::int32_t invalid_fd = -1;
inline constexpr std::uint32_t backend_htp = 6;
inline constexpr const char* op_name = "MatMul";

extern "C" {
typedef void* Their_Handle_t;
typedef struct {
  int unused;
} Their_Tensor_t;
typedef enum { THEIR_FIRST = 1, THEIR_UNDEFINED = 0x7FFFFFFF } Their_Option_t;
typedef struct {
  Their_Option_t option;
  union {
    int fd;
    void* custom;
  };
} Their_Config_t;
#if !defined(PLANTED)
#define CHANGED(was, now) was
#else
#define CHANGED(was, now) now
#endif
}

// Each record has one change. planted.cmake looks for the sentence about it.
#define PAIR(name, our_type, their_type) \
  struct name {                          \
    std::uint32_t before;                \
    our_type;                            \
  };                                     \
  typedef struct {                       \
    uint32_t before;                     \
    their_type;                          \
  } Their_##name;                        \
  QNNPP_SAME_FIELD(name, field, Their_##name, field)

struct Sized {
  std::uint32_t a, b;
};
typedef struct {
  uint32_t a, b CHANGED(, [2]);
} Their_Sized;
QNNPP_SAME_SIZE(Sized, Their_Sized);

struct Moved {
  std::uint32_t a, b;
};
typedef struct {
  CHANGED(uint32_t a; uint32_t b, uint32_t b; uint32_t a);
} Their_Moved;
QNNPP_SAME_FIELD(Moved, b, Their_Moved, b);
QNNPP_SAME_PLACE(Moved, b, Their_Moved, b);

PAIR(Width, std::uint64_t field, CHANGED(uint64_t field, uint32_t field));
PAIR(Floating, float field, CHANGED(float field, uint32_t field));
PAIR(Integral, std::uint32_t field, CHANGED(uint32_t field, float field));
PAIR(Precise, std::uint64_t field, CHANGED(uint64_t field, double field));
PAIR(Sign, std::int32_t field, CHANGED(int32_t field, uint32_t field));
PAIR(Enumeration, Option field, CHANGED(Their_Option_t field, float field));
PAIR(Address, const char* field, CHANGED(const char* field, uint64_t field));
PAIR(Constness, const Tensor* field, CHANGED(const Their_Tensor_t* field, Their_Tensor_t* field));
PAIR(Depth, const Tensor** field,
     CHANGED(const Their_Tensor_t** field, const Their_Tensor_t* field));
PAIR(Elements, std::uint32_t* field, CHANGED(uint32_t* field, float* field));
PAIR(Fields, std::uint32_t field[2], CHANGED(uint32_t field[2], float field[2]));

using Call = std::uint64_t (*)(Handle, const Tensor*, std::uint32_t, float);
struct Slots {
  Call same, more, fewer, order, type, constness, result, floating;
};
extern "C" {
#define CALL(name, result, ...) typedef result (*Their_##name)(__VA_ARGS__)
CALL(Same, uint64_t, Their_Handle_t, const Their_Tensor_t*, uint32_t, float);
#if !defined(PLANTED)
typedef Their_Same Their_More, Their_Fewer, Their_Order, Their_Type, Their_Const, Their_Result,
    Their_Float;
#else
CALL(More, uint64_t, Their_Handle_t, const Their_Tensor_t*, uint32_t, float, void*);
CALL(Fewer, uint64_t, Their_Handle_t, const Their_Tensor_t*, uint32_t);
CALL(Order, uint64_t, Their_Handle_t, uint32_t, const Their_Tensor_t*, float);
CALL(Type, uint64_t, Their_Handle_t, const Their_Tensor_t*, uint64_t, float);
CALL(Const, uint64_t, Their_Handle_t, Their_Tensor_t*, uint32_t, float);
CALL(Result, uint32_t, Their_Handle_t, const Their_Tensor_t*, uint32_t, float);
CALL(Float, uint64_t, Their_Handle_t, const Their_Tensor_t*, uint32_t, int32_t);
#endif
}
typedef struct {
  Their_Same same;
  Their_More more;
  Their_Fewer fewer;
  Their_Order order;
  Their_Type type;
  Their_Const constness;
  Their_Result result;
  Their_Float floating;
} Their_Slots;
QNNPP_SAME_FIELD(Slots, same, Their_Slots, same);
QNNPP_SAME_FIELD(Slots, more, Their_Slots, more);
QNNPP_SAME_FIELD(Slots, fewer, Their_Slots, fewer);
QNNPP_SAME_FIELD(Slots, order, Their_Slots, order);
QNNPP_SAME_FIELD(Slots, type, Their_Slots, type);
QNNPP_SAME_FIELD(Slots, constness, Their_Slots, constness);
QNNPP_SAME_FIELD(Slots, result, Their_Slots, result);
QNNPP_SAME_FIELD(Slots, floating, Their_Slots, floating);

#define THEIR_SECOND CHANGED(1, 2)
#define THEIR_INVALID_FD CHANGED(-1, 0)
#define THEIR_BACKEND_ID CHANGED(6, 7)
#define THEIR_OP_NAME CHANGED("MatMul", "Matmul")
#define THEIR_CONFIG_INIT                                     \
  {                                                           \
    CHANGED(THEIR_UNDEFINED, THEIR_FIRST), { CHANGED(-1, 0) } \
  }
QNNPP_SAME_VALUE(Option::first, THEIR_SECOND);
QNNPP_SAME_VALUE(invalid_fd, THEIR_INVALID_FD);
QNNPP_SAME_VALUE(backend_htp, THEIR_BACKEND_ID);
QNNPP_SAME_TEXT(op_name, THEIR_OP_NAME);
QNNPP_SAME_INIT(Their_Config_t, THEIR_CONFIG_INIT, option, Option::undefined);
QNNPP_SAME_INIT(Their_Config_t, THEIR_CONFIG_INIT, fd, invalid_fd);
