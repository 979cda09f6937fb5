#include "direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "direct_layout.h"

// A function of the table: function i lies at byte 40 + 8*i of PJRT_Api.
typedef void* (*gx_fn)(void*);

static inline gx_fn fn(const void* api, int index) {
  return *(const gx_fn*)((const char*)api + GX_TABLE + 8 * index);
}

void gx_error_read(const void* api, void* error, int* code, const char** text, size_t* size) {
  gx_error_message_args m = {.head = {sizeof m, NULL}, .error = error};
  fn(api, GX_Error_Message)(&m);
  *text = m.message;
  *size = m.message_size;
  gx_error_code_args c = {.head = {sizeof c, NULL}, .error = error};
  void* failed = fn(api, GX_Error_GetCode)(&c);
  *code = failed ? 2 : c.code;
  if (failed) gx_error_destroy(api, failed);
}

void gx_error_destroy(const void* api, void* error) {
  gx_object_args a = {.head = {sizeof a, NULL}, .object = error};
  fn(api, GX_Error_Destroy)(&a);
}

// drop destroys an error that nobody is told of: those of destroy calls.
static void drop(const void* api, void* error) {
  if (error) gx_error_destroy(api, error);
}

static void event_destroy(const void* api, void* event) {
  gx_object_args a = {.head = {sizeof a, NULL}, .object = event};
  drop(api, fn(api, GX_Event_Destroy)(&a));
}

// event_finish waits for an event and destroys it.
static void* event_finish(const void* api, void* event) {
  if (!event) return NULL;
  gx_object_args a = {.head = {sizeof a, NULL}, .object = event};
  void* err = fn(api, GX_Event_Await)(&a);
  event_destroy(api, event);
  return err;
}

// A result that comes soon is waited for without sleeping: to put the thread to
// sleep and to wake it takes longer than most eager operations. It helps where
// another processor computes meanwhile.
enum { GX_SPIN_NANOSECONDS = 20000 };

static inline void spin_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

// event_finish_soon is event_finish that spins first, where spin is set.
static void* event_finish_soon(const void* api, void* event, int spin) {
  if (!event || !spin) return event_finish(api, event);
  for (int64_t end = now() + GX_SPIN_NANOSECONDS;;) {
    gx_event_ready_args r = {.head = {sizeof r, NULL}, .event = event};
    void* err = fn(api, GX_Event_IsReady)(&r);
    drop(api, err);
    if (err || r.is_ready || now() > end) return event_finish(api, event);
    for (int i = 0; i < 16; i++) spin_pause();
  }
}

// start executes without waiting; *event is complete when the results are.
static void* start(const gx_program* p, gx_args args, uintptr_t* outs, void** event) {
  gx_execute_options o = {.head = {sizeof o, NULL}, .non_donatable = args.keep, .num_non_donatable = args.num_keep};
  const uintptr_t* arg_lists[1] = {args.buffers};
  uintptr_t* out_lists[1] = {outs};
  *event = NULL;
  gx_execute_args a = {
      .head = {sizeof a, NULL},
      .executable = p->executable,
      .options = &o,
      .argument_lists = arg_lists,
      .num_devices = 1,
      .num_args = args.n,
      .output_lists = out_lists,
      .device_complete_events = event,
      .execute_device = p->device,
  };
  return fn(p->api, GX_LoadedExecutable_Execute)(&a);
}

void* gx_execute(const gx_program* p, gx_args args, uintptr_t* outs, int* ready) {
  void* event;
  *ready = 0;
  if (args.dead) gx_buffers_destroy(p->api, &args.dead, 1);
  void* err = start(p, args, outs, &event);
  if (err || !event) return err;
  gx_event_ready_args r = {.head = {sizeof r, NULL}, .event = event};
  err = fn(p->api, GX_Event_IsReady)(&r);
  if (!err && r.is_ready) {
    err = event_finish(p->api, event);
    *ready = 1;
    // A failed computation has given buffers all the same; they go with it.
    if (err) gx_buffers_destroy(p->api, outs, p->num_outs);
    return err;
  }
  drop(p->api, err);
  event_destroy(p->api, event);
  return NULL;
}

void* gx_loop(const gx_program* p, gx_args args, uintptr_t* outs, size_t n) {
  for (size_t i = 0; i < n; i++) {
    void* event;
    void* err = start(p, args, outs, &event);
    if (!err) err = event_finish(p->api, event);
    if (err) return err;
    gx_buffers_destroy(p->api, outs, p->num_outs);
  }
  return NULL;
}

void* gx_buffer_await(const void* api, uintptr_t buffer, int spin) {
  gx_ready_event_args a = {.head = {sizeof a, NULL}, .buffer = buffer};
  void* err = fn(api, GX_Buffer_ReadyEvent)(&a);
  return err ? err : event_finish_soon(api, a.event, spin);
}

void gx_buffers_destroy(const void* api, const uintptr_t* buffers, size_t n) {
  for (size_t i = 0; i < n; i++) {
    gx_object_args a = {.head = {sizeof a, NULL}, .object = (void*)buffers[i]};
    drop(api, fn(api, GX_Buffer_Destroy)(&a));
  }
}

void* gx_buffer_from_host(const void* api, void* client, void* device, const void* data, int type, const int64_t* dims, size_t rank, uintptr_t* buffer) {
  gx_from_host_args a = {
      .head = {sizeof a, NULL},
      .client = client,
      .data = data,
      .type = type,
      .dims = dims,
      .num_dims = rank,
      .semantics = GX_IMMUTABLE_ONLY_DURING_CALL,
      .device = device,
  };
  void* err = fn(api, GX_Client_BufferFromHostBuffer)(&a);
  if (err) return err;
  err = event_finish(api, a.done_with_host_buffer);
  if (err) {
    gx_buffers_destroy(api, &a.buffer, 1);
    return err;
  }
  *buffer = a.buffer;
  return NULL;
}

static void* to_host(const void* api, uintptr_t buffer, const int64_t* minor_to_major, size_t rank, void* dst, size_t* size, void** event) {
  gx_memory_layout layout = {
      .head = {sizeof layout, NULL},
      .tiled = {.head = {sizeof layout.tiled, NULL}, .minor_to_major = minor_to_major, .minor_to_major_size = rank},
      .type = GX_LAYOUT_TILED,
  };
  gx_to_host_args a = {.head = {sizeof a, NULL}, .src = buffer, .host_layout = &layout, .dst = dst, .dst_size = *size};
  void* err = fn(api, GX_Buffer_ToHostBuffer)(&a);
  *size = a.dst_size;
  *event = a.event;
  return err;
}

void* gx_buffer_to_host(const void* api, uintptr_t buffer, const int64_t* minor_to_major, size_t rank, void* dst, size_t size) {
  void* event;
  void* err = to_host(api, buffer, minor_to_major, rank, dst, &size, &event);
  return err ? err : event_finish(api, event);
}

void* gx_buffer_host_size(const void* api, uintptr_t buffer, const int64_t* minor_to_major, size_t rank, size_t* size) {
  void* event;
  *size = 0;
  return to_host(api, buffer, minor_to_major, rank, NULL, size, &event);
}

void* gx_buffer_to_device(const void* api, uintptr_t buffer, void* device, uintptr_t* copy) {
  gx_to_device_args a = {.head = {sizeof a, NULL}, .buffer = buffer, .device = device};
  void* err = fn(api, GX_Buffer_CopyToDevice)(&a);
  *copy = a.copy;
  return err;
}

// lies_plain says whether a buffer's memory is what the host wants to see.
static void* lies_plain(const void* api, uintptr_t buffer, size_t rank, size_t size, bool* yes) {
  *yes = false;
  gx_on_cpu_args c = {.head = {sizeof c, NULL}, .buffer = buffer};
  void* err = fn(api, GX_Buffer_IsOnCpu)(&c);
  if (err || !c.yes) return err;
  gx_device_size_args s = {.head = {sizeof s, NULL}, .buffer = buffer};
  err = fn(api, GX_Buffer_OnDeviceSizeInBytes)(&s);
  if (err || s.size != size) return err;
  gx_layout_args l = {.head = {sizeof l, NULL}, .buffer = buffer};
  err = fn(api, GX_Buffer_GetMemoryLayout)(&l);
  if (err || l.layout.type != GX_LAYOUT_TILED) return err;
  gx_tiled* t = &l.layout.tiled;
  if (t->num_tiles != 0 || t->minor_to_major_size != rank) return NULL;
  for (size_t i = 0; i < rank; i++) {
    if (t->minor_to_major[i] != (int64_t)(rank - 1 - i)) return NULL;
  }
  *yes = true;
  return NULL;
}

void* gx_buffer_view(const void* api, uintptr_t buffer, size_t rank, size_t size, void** data) {
  *data = NULL;
  bool plain;
  void* err = lies_plain(api, buffer, rank, size, &plain);
  if (err || !plain) return err;
  gx_buffer_args b = {.head = {sizeof b, NULL}, .buffer = buffer};
  err = fn(api, GX_Buffer_IncreaseExternalReferenceCount)(&b);
  if (err) return err;
  gx_data_pointer_args p = {.head = {sizeof p, NULL}, .buffer = buffer};
  err = fn(api, GX_Buffer_OpaqueDeviceMemoryDataPointer)(&p);
  if (err || !p.data) {
    drop(api, gx_buffer_view_end(api, buffer));
    return err;
  }
  *data = p.data;
  return NULL;
}

void* gx_buffer_copy_out(const void* api, uintptr_t buffer, size_t rank, void* dst, size_t size, int* copied) {
  void* data;
  *copied = 0;
  void* err = gx_buffer_view(api, buffer, rank, size, &data);
  if (err || !data) return err;
  memcpy(dst, data, size);
  *copied = 1;
  return gx_buffer_view_end(api, buffer);
}

void* gx_buffer_view_end(const void* api, uintptr_t buffer) {
  gx_buffer_args b = {.head = {sizeof b, NULL}, .buffer = buffer};
  return fn(api, GX_Buffer_DecreaseExternalReferenceCount)(&b);
}

void* gx_get_executable(const void* api, void* loaded, void** executable) {
  gx_object_out_args a = {.head = {sizeof a, NULL}, .object = loaded};
  void* err = fn(api, GX_LoadedExecutable_GetExecutable)(&a);
  *executable = a.out;
  return err;
}

void gx_executable_destroy(const void* api, void* executable) {
  gx_object_args a = {.head = {sizeof a, NULL}, .object = executable};
  drop(api, fn(api, GX_Executable_Destroy)(&a));
}

void gx_loaded_destroy(const void* api, void* loaded) {
  gx_object_args a = {.head = {sizeof a, NULL}, .object = loaded};
  drop(api, fn(api, GX_LoadedExecutable_Destroy)(&a));
}

void* gx_executable_name(const void* api, void* executable, const char** name, size_t* size) {
  gx_string_args a = {.head = {sizeof a, NULL}, .object = executable};
  void* err = fn(api, GX_Executable_Name)(&a);
  *name = a.text;
  *size = a.size;
  return err;
}

void* gx_executable_num_outputs(const void* api, void* executable, size_t* n) {
  gx_count_args a = {.head = {sizeof a, NULL}, .object = executable};
  void* err = fn(api, GX_Executable_NumOutputs)(&a);
  *n = a.count;
  return err;
}

void* gx_executable_outputs(const void* api, void* executable, const int** types, size_t* n, const int64_t** dims, const size_t** ranks) {
  gx_output_types_args t = {.head = {sizeof t, NULL}, .executable = executable};
  void* err = fn(api, GX_Executable_OutputElementTypes)(&t);
  if (err) return err;
  gx_output_dims_args d = {.head = {sizeof d, NULL}, .executable = executable};
  err = fn(api, GX_Executable_OutputDimensions)(&d);
  if (err) return err;
  *types = t.types;
  *n = t.num_types < d.num_outputs ? t.num_types : d.num_outputs;
  *dims = d.dims;
  *ranks = d.dim_sizes;
  return NULL;
}

void* gx_optimized_program(const void* api, void* executable, char* code, size_t* size, const char** format, size_t* format_size) {
  gx_c_program p = {.head = {sizeof p, NULL}, .code = code, .code_size = *size};
  gx_optimized_args a = {.head = {sizeof a, NULL}, .executable = executable, .program = &p};
  void* err = fn(api, GX_Executable_OptimizedProgram)(&a);
  *size = p.code_size;
  *format = p.format;
  *format_size = p.format_size;
  return err;
}

void* gx_memory_stats(const void* api, void* executable, int64_t stats[11]) {
  gx_memory_stats_args a = {.head = {sizeof a, NULL}, .executable = executable};
  void* err = fn(api, GX_Executable_GetCompiledMemoryStats)(&a);
  for (int i = 0; i < 11; i++) stats[i] = a.stats[i];
  return err;
}

void* gx_cost_analysis(const void* api, void* executable, size_t* num, const void** properties) {
  gx_cost_args a = {.head = {sizeof a, NULL}, .executable = executable};
  void* err = fn(api, GX_Executable_GetCostAnalysis)(&a);
  *num = a.num;
  *properties = a.properties;
  return err;
}

void gx_cost_property(const void* properties, size_t i, const char** name, size_t* size, double* value) {
  const gx_named_value* p = (const gx_named_value*)properties + i;
  *name = p->type == GX_NAMED_FLOAT || p->type == GX_NAMED_INT64 ? p->name : NULL;
  *size = p->name_size;
  *value = p->type == GX_NAMED_FLOAT ? p->number : (double)p->integer;
}

void* gx_serialize(const void* api, void* executable, gx_bytes* out) {
  gx_serialize_args a = {.head = {sizeof a, NULL}, .executable = executable};
  void* err = fn(api, GX_Executable_Serialize)(&a);
  *out = (gx_bytes){a.bytes, a.size, a.backing, a.deleter};
  return err;
}

void gx_bytes_free(gx_bytes* b) {
  if (b->backing && b->deleter) b->deleter(b->backing);
  *b = (gx_bytes){0};
}

void* gx_deserialize(const void* api, void* client, const void* data, size_t size, void** loaded) {
  gx_deserialize_args a = {.head = {sizeof a, NULL}, .client = client, .data = data, .size = size};
  void* err = fn(api, GX_Executable_DeserializeAndLoad)(&a);
  *loaded = a.loaded;
  return err;
}

static void* description_string(const void* api, int function, void* description, gx_text* out) {
  gx_string_args a = {.head = {sizeof a, NULL}, .object = description};
  void* err = fn(api, function)(&a);
  *out = (gx_text){a.text, a.size};
  return err;
}

void* gx_device_describe(const void* api, void* device, gx_device* out) {
  gx_object_out_args d = {.head = {sizeof d, NULL}, .object = device};
  void* err = fn(api, GX_Device_GetDescription)(&d);
  if (err) return err;
  gx_int_args i = {.head = {sizeof i, NULL}, .object = d.out};
  err = fn(api, GX_DeviceDescription_Id)(&i);
  out->id = i.value;
  if (!err) err = description_string(api, GX_DeviceDescription_Kind, d.out, &out->kind);
  if (!err) err = description_string(api, GX_DeviceDescription_DebugString, d.out, &out->name);
  if (!err) err = description_string(api, GX_DeviceDescription_ToString, d.out, &out->repr);
  return err;
}

char* const* gx_stdout_begin;
char* const* gx_stdout_end;

void gx_line_buffer_stdout(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
#ifdef __GLIBC__
  gx_stdout_begin = &stdout->_IO_write_base;
  gx_stdout_end = &stdout->_IO_write_ptr;
#endif
}

void gx_flush_stdio(void) { fflush(NULL); }

void gx_trim(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
