// The few parts of the PJRT C API that gopjrt v0.10.0 does not wrap, or wraps
// at a price. Structs are declared here with the fields that are used, in the
// order and with the offsets of pjrt_c_api.h 0.81; functions are taken from the
// plugin's table by index. A test compares all of it with gopjrt's header.
#ifndef GOPHERLO_DIRECT_H
#define GOPHERLO_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// gx_program says where a loaded executable is and on which device it runs.
typedef struct {
  const void* api;
  void* executable;
  void* device;
  size_t num_outs;
} gx_program;

// gx_args are the arguments of a call; keep lists those that are not donated.
// dead, if not 0, is a buffer that gx_execute destroys first: a call that frees
// the result of the one before needs one way into C less.
typedef struct {
  const uintptr_t* buffers;
  size_t n;
  const int64_t* keep;
  size_t num_keep;
  uintptr_t dead;
} gx_args;

typedef struct {
  const char* data;  // owned by backing
  size_t size;
  void* backing;
  void (*deleter)(void*);
} gx_bytes;

// Functions return a PJRT_Error*, NULL when all went well.
void gx_error_read(const void* api, void* error, int* code, const char** text, size_t* size);
void gx_error_destroy(const void* api, void* error);

// *ready is set when the results are there already.
void* gx_execute(const gx_program* p, gx_args args, uintptr_t* outs, int* ready);
// gx_loop is the yardstick of the benchmark: n times execute, await, destroy.
void* gx_loop(const gx_program* p, gx_args args, uintptr_t* outs, size_t n);

// gx_buffer_await waits for a buffer's value; with spin it does not sleep at once.
void* gx_buffer_await(const void* api, uintptr_t buffer, int spin);
void gx_buffers_destroy(const void* api, const uintptr_t* buffers, size_t n);
void* gx_buffer_from_host(const void* api, void* client, void* device, const void* data, int type, const int64_t* dims, size_t rank, uintptr_t* buffer);
void* gx_buffer_to_host(const void* api, uintptr_t buffer, const int64_t* minor_to_major, size_t rank, void* dst, size_t size);
void* gx_buffer_host_size(const void* api, uintptr_t buffer, const int64_t* minor_to_major, size_t rank, size_t* size);
void* gx_buffer_to_device(const void* api, uintptr_t buffer, void* device, uintptr_t* copy);

// gx_buffer_view gives the memory of a buffer that lies on the CPU in row-major
// order, untiled, in size bytes; *data is NULL when it does not. The memory stays
// until gx_buffer_view_end.
void* gx_buffer_view(const void* api, uintptr_t buffer, size_t rank, size_t size, void** data);
void* gx_buffer_view_end(const void* api, uintptr_t buffer);
// gx_buffer_copy_out copies such memory; *copied is 0 where gx_buffer_view gives none.
void* gx_buffer_copy_out(const void* api, uintptr_t buffer, size_t rank, void* dst, size_t size, int* copied);

void* gx_get_executable(const void* api, void* loaded, void** executable);
void gx_executable_destroy(const void* api, void* executable);
// gx_trim gives free memory back to the system, where the C library can.
void gx_trim(void);
void gx_loaded_destroy(const void* api, void* loaded);
void* gx_executable_name(const void* api, void* executable, const char** name, size_t* size);
void* gx_executable_num_outputs(const void* api, void* executable, size_t* n);
void* gx_executable_outputs(const void* api, void* executable, const int** types, size_t* n, const int64_t** dims, const size_t** ranks);
// size first with code == NULL, then the bytes.
void* gx_optimized_program(const void* api, void* executable, char* code, size_t* size, const char** format, size_t* format_size);
void* gx_memory_stats(const void* api, void* executable, int64_t stats[11]);
// Property i of gx_cost_analysis; *name is NULL for one that is no number.
void* gx_cost_analysis(const void* api, void* executable, size_t* num, const void** properties);
void gx_cost_property(const void* properties, size_t i, const char** name, size_t* size, double* value);
void* gx_serialize(const void* api, void* executable, gx_bytes* out);
void gx_bytes_free(gx_bytes* b);
void* gx_deserialize(const void* api, void* client, const void* data, size_t size, void** loaded);

typedef struct {
  const char* data;  // owned by the device
  size_t size;
} gx_text;

typedef struct {
  int id;
  gx_text kind, name, repr;
} gx_device;

void* gx_device_describe(const void* api, void* device, gx_device* out);

void gx_line_buffer_stdout(void);
// Where C's library keeps the ends of the text in stdout that is not written yet;
// NULL where that is not known. Reading them needs no call.
extern char* const* gx_stdout_begin;
extern char* const* gx_stdout_end;
void gx_flush_stdio(void);

#endif
