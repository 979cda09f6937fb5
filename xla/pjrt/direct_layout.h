// Indices into the function table of PJRT_Api and the argument structs, as in
// pjrt_c_api.h 0.81 (gopjrt v0.10.0). layout_test.go compiles this file with
// gopjrt's header and compares every number.
#ifndef GOPHERLO_DIRECT_LAYOUT_H
#define GOPHERLO_DIRECT_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  GX_TABLE = 40,  // bytes before the first function
  GX_Error_Destroy = 0,
  GX_Error_Message = 1,
  GX_Error_GetCode = 2,
  GX_Event_Destroy = 5,
  GX_Event_IsReady = 6,
  GX_Event_Await = 8,
  GX_Client_BufferFromHostBuffer = 22,
  GX_DeviceDescription_Id = 23,
  GX_DeviceDescription_Kind = 26,
  GX_DeviceDescription_DebugString = 27,
  GX_DeviceDescription_ToString = 28,
  GX_Device_GetDescription = 29,
  GX_Executable_Destroy = 40,
  GX_Executable_Name = 41,
  GX_Executable_NumOutputs = 44,
  GX_Executable_GetCostAnalysis = 46,
  GX_Executable_OptimizedProgram = 48,
  GX_Executable_Serialize = 49,
  GX_LoadedExecutable_Destroy = 50,
  GX_LoadedExecutable_GetExecutable = 51,
  GX_LoadedExecutable_Execute = 55,
  GX_Executable_DeserializeAndLoad = 56,
  GX_Buffer_Destroy = 58,
  GX_Buffer_GetMemoryLayout = 63,
  GX_Buffer_OnDeviceSizeInBytes = 64,
  GX_Buffer_CopyToDevice = 69,
  GX_Buffer_ToHostBuffer = 70,
  GX_Buffer_IsOnCpu = 71,
  GX_Buffer_ReadyEvent = 72,
  GX_Buffer_IncreaseExternalReferenceCount = 74,
  GX_Buffer_DecreaseExternalReferenceCount = 75,
  GX_Buffer_OpaqueDeviceMemoryDataPointer = 76,
  GX_Executable_OutputElementTypes = 90,
  GX_Executable_OutputDimensions = 91,
  GX_Executable_GetCompiledMemoryStats = 96,
};

enum { GX_IMMUTABLE_ONLY_DURING_CALL = 0, GX_LAYOUT_TILED = 0, GX_NAMED_INT64 = 1, GX_NAMED_FLOAT = 3 };

typedef struct {
  size_t struct_size;
  void* extension_start;
} gx_head;

// Shapes of arguments that several functions share.
typedef struct { gx_head head; void* object; } gx_object_args;
typedef struct { gx_head head; void* object; void* out; } gx_object_out_args;
typedef struct { gx_head head; void* object; const char* text; size_t size; } gx_string_args;
typedef struct { gx_head head; void* object; size_t count; } gx_count_args;
typedef struct { gx_head head; void* object; int value; } gx_int_args;

typedef struct { gx_head head; void* error; const char* message; size_t message_size; } gx_error_message_args;
typedef struct { gx_head head; void* error; int code; } gx_error_code_args;
typedef struct { gx_head head; void* event; bool is_ready; } gx_event_ready_args;

typedef struct {
  gx_head head;
  void** send_callbacks;
  void** recv_callbacks;
  size_t num_send_ops, num_recv_ops;
  int launch_id;
  const int64_t* non_donatable;
  size_t num_non_donatable;
  void* context;
  const char* call_location;
  size_t num_tasks;
  int* task_ids;
  int64_t* incarnation_ids;
} gx_execute_options;

typedef struct {
  gx_head head;
  void* executable;
  gx_execute_options* options;
  const uintptr_t* const* argument_lists;
  size_t num_devices, num_args;
  uintptr_t* const* output_lists;
  void** device_complete_events;
  void* execute_device;
} gx_execute_args;

typedef struct { gx_head head; uintptr_t buffer; void* event; } gx_ready_event_args;

typedef struct {
  gx_head head;
  const int64_t* minor_to_major;
  size_t minor_to_major_size;
  const int64_t* tile_dims;
  const size_t* tile_dim_sizes;
  size_t num_tiles;
} gx_tiled;

typedef struct { gx_head head; gx_tiled tiled; int type; } gx_memory_layout;

typedef struct {
  gx_head head;
  void* client;
  const void* data;
  int type;
  const int64_t* dims;
  size_t num_dims;
  const int64_t* byte_strides;
  size_t num_byte_strides;
  int semantics;
  void* device;
  void* memory;
  gx_memory_layout* device_layout;
  void* done_with_host_buffer;
  uintptr_t buffer;
} gx_from_host_args;

typedef struct {
  gx_head head;
  uintptr_t src;
  gx_memory_layout* host_layout;
  void* dst;
  size_t dst_size;
  void* event;
} gx_to_host_args;

typedef struct { gx_head head; uintptr_t buffer; void* device; uintptr_t copy; } gx_to_device_args;

typedef struct { gx_head head; uintptr_t buffer; } gx_buffer_args;
typedef struct { gx_head head; uintptr_t buffer; gx_memory_layout layout; } gx_layout_args;
typedef struct { gx_head head; uintptr_t buffer; size_t size; } gx_device_size_args;
typedef struct { gx_head head; uintptr_t buffer; bool yes; } gx_on_cpu_args;
typedef struct { gx_head head; uintptr_t buffer; void* data; } gx_data_pointer_args;

typedef struct {
  gx_head head;
  const char* name;
  size_t name_size;
  int type;
  union {
    int64_t integer;
    float number;
  };
  size_t value_size;
} gx_named_value;

typedef struct { gx_head head; void* executable; size_t num; const gx_named_value* properties; } gx_cost_args;

typedef struct { gx_head head; void* executable; const int* types; size_t num_types; } gx_output_types_args;
typedef struct { gx_head head; void* executable; size_t num_outputs; const int64_t* dims; const size_t* dim_sizes; } gx_output_dims_args;

typedef struct {
  gx_head head;
  char* code;
  size_t code_size;
  const char* format;
  size_t format_size;
} gx_c_program;

typedef struct { gx_head head; void* executable; gx_c_program* program; } gx_optimized_args;
typedef struct { gx_head head; void* executable; int64_t stats[11]; } gx_memory_stats_args;

typedef struct {
  gx_head head;
  void* executable;
  const char* bytes;
  size_t size;
  void* backing;
  void (*deleter)(void*);
} gx_serialize_args;

typedef struct {
  gx_head head;
  void* client;
  const void* data;
  size_t size;
  void* loaded;
  const void* options;
  size_t options_size;
} gx_deserialize_args;

#endif
