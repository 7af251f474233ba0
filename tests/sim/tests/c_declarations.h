/* The part of the QNN C API that the plain C clients use, declared from its documented layout, with
   the sizes and offsets of 64-bit Linux. Uses nothing of the C++ library. */
#ifndef QNNPP_TESTS_SIM_C_DECLARATIONS_H
#define QNNPP_TESTS_SIM_C_DECLARATIONS_H

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t qnn_error;
typedef void* qnn_handle;

typedef struct {
  uint32_t major, minor, patch;
} qnn_version;
typedef struct {
  qnn_version core, backend;
} qnn_api_version;

enum {
  QNN_FLOAT_32 = 562,
  QNN_SFIXED_POINT_8 = 776,
  QNN_UFIXED_POINT_8 = 1032,
  QNN_UFIXED_POINT_16 = 1046,
  QNN_UNDEFINED = 0x7FFFFFFF
};
enum { QNN_APP_WRITE = 0, QNN_APP_READ = 1, QNN_NATIVE = 3, QNN_STATIC = 4 };
enum { QNN_RAW = 0, QNN_MEMHANDLE = 1 };

typedef struct {
  uint32_t definition, encoding;
  uint64_t payload[4];
} qnn_quantization;

typedef struct {
  uint32_t id;
  const char* name;
  uint32_t type, data_format, data_type;
  qnn_quantization quantization;
  uint32_t rank;
  uint32_t* dimensions;
  uint32_t mem_type;
  union {
    struct {
      void* data;
      uint32_t size;
    } client;
    qnn_handle mem_handle;
  } memory;
  uint8_t version_2_members[24];
} qnn_tensor_body;

typedef struct {
  uint32_t version;
  qnn_tensor_body v1;
} qnn_tensor;
static_assert(sizeof(qnn_tensor) == 144, "Qnn_Tensor_t");
static_assert(offsetof(qnn_tensor_body, memory) == 96, "clientBuf");
static_assert(sizeof(qnn_tensor_body) == 136, "Qnn_TensorV2_t");

typedef struct {
  uint32_t type;
  const char* name;
  union {
    struct {
      uint32_t data_type;
      union {
        float f32;
        uint32_t u32;
        uint64_t u64;
      } value;
    } scalar;
    qnn_tensor tensor;
  } u;
} qnn_param;

typedef struct {
  uint32_t version;
  const char *name, *package, *type;
  uint32_t num_params;
  qnn_param* params;
  uint32_t num_inputs;
  qnn_tensor* inputs;
  uint32_t num_outputs;
  qnn_tensor* outputs;
} qnn_op;
static_assert(sizeof(qnn_op) == 80, "Qnn_OpConfig_t");

/* An option and its value, for contexts, graphs, devices, signals and properties. */
typedef struct {
  uint32_t option;
  union {
    void* pointer;
    uint64_t u64;
    uint32_t u32;
    uint8_t u8;
  } value;
} qnn_option;
static_assert(sizeof(qnn_option) == 16, "options with a payload of 8 bytes");
typedef struct {
  uint32_t num_dim;
  uint32_t* dim_size;
  const char* config;
  uint32_t data_type, mem_type;
  union {
    int32_t fd;
    void* custom;
    uint64_t widest[2];
  } memory;
} qnn_mem_descriptor;
static_assert(sizeof(qnn_mem_descriptor) == 48, "Qnn_MemDescriptor_t");
enum { QNN_MEM_ION = 1, QNN_MEM_CUSTOM = 2 };

typedef struct {
  uint32_t type;
  uint64_t size;
  int32_t fd;
  uint64_t offset;
} htp_mem_descriptor;
static_assert(sizeof(htp_mem_descriptor) == 32, "QnnMemHtp_Descriptor_t");
enum { HTP_SHARED_BUFFER = 1, HTP_WEIGHTS = 2, HTP_SPILL_FILL = 3 };

typedef struct {
  uint32_t option;
  union {
    uint64_t u64[6];
    uint32_t u32;
  } value;
} htp_graph_option;
static_assert(sizeof(htp_graph_option) == 56, "QnnHtpGraph_CustomConfig_t");

typedef struct {
  size_t vtcm_megabytes;
  uint32_t soc_model;
  bool signed_pd, dlbc;
  uint32_t arch;
} htp_on_chip;
typedef struct {
  uint32_t type;
  htp_on_chip on_chip;
} htp_device_info;
typedef struct {
  uint32_t version, core_id, core_type;
  void* extension;
} qnn_core_info;
typedef struct {
  uint32_t version;
  struct {
    uint32_t device_id, device_type, num_cores;
    qnn_core_info* cores;
    htp_device_info* extension;
  } v1;
} qnn_hardware_info;
typedef struct {
  uint32_t version;
  struct {
    uint32_t count;
    qnn_hardware_info* devices;
  } v1;
} qnn_platform_info;

typedef struct {
  uint32_t type;
  qnn_error (*create_power_config_id)(uint32_t, uint32_t, uint32_t*);
  qnn_error (*destroy_power_config_id)(uint32_t);
  qnn_error (*set_power_config)(uint32_t, const void**);
  qnn_error (*set_memory_config)(uint32_t, uint32_t, const void**);
} htp_infrastructure;
typedef struct {
  uint32_t option;
  uint32_t values[16];
} htp_power_config;
static_assert(sizeof(htp_power_config) == 68, "QnnHtpPerfInfrastructure_PowerConfig_t");

typedef struct {
  uint32_t type, unit;
  uint64_t value;
  const char* identifier;
} qnn_event_data;

/* Slots of the function table, by index. */
typedef void (*qnn_slot)(void);
typedef struct {
  uint32_t backend_id;
  const char* name;
  qnn_api_version version;
  qnn_slot slots[71];
} qnn_provider;
static_assert(offsetof(qnn_provider, slots) == 40, "QnnInterface_t");

typedef struct {
  uint32_t backend_id;
  const char* name;
  qnn_version version;
  qnn_slot slots[16];
} qnn_system_provider;
static_assert(offsetof(qnn_system_provider, slots) == 32, "QnnSystemInterface_t");

typedef struct {
  uint32_t version;
  struct {
    const char* name;
    uint32_t num_inputs;
    qnn_tensor* inputs;
    uint32_t num_outputs;
    qnn_tensor* outputs;
    uint32_t num_updateable;
    qnn_tensor* updateable;
    uint32_t blob_size;
    void* blob;
    uint32_t start_op, end_op;
  } v3;
} qnn_graph_info;
static_assert(sizeof(qnn_graph_info) == 88, "QnnSystemContext_GraphInfo_t");
typedef struct {
  uint32_t version;
  struct {
    uint32_t backend_id;
    const char* build_id;
    qnn_version core, backend;
    const char* soc_version;
    qnn_version blob_version;
    uint64_t blob_size;
    uint32_t num_tensors;
    qnn_tensor* tensors;
    uint32_t num_graphs;
    qnn_graph_info* graphs;
  } v3;
} qnn_binary_info;
typedef struct {
  uint32_t version;
  uint64_t spill_fill_bytes;
  uint32_t vtcm_megabytes, optimization_level;
} htp_graph_blob;

#endif
