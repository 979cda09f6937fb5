//go:build cgo

package pjrt

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// structs pairs our declarations with those of pjrt_c_api.h: ours, theirs, and
// field by field.
var structs = []struct {
	ours, theirs string
	fields       string // "ours=theirs" or one name for both
}{
	{"gx_object_args", "PJRT_Error_Destroy_Args", "object=error"},
	{"gx_object_args", "PJRT_Event_Destroy_Args", "object=event"},
	{"gx_object_args", "PJRT_Event_Await_Args", "object=event"},
	{"gx_object_args", "PJRT_Buffer_Destroy_Args", "object=buffer"},
	{"gx_object_args", "PJRT_Executable_Destroy_Args", "object=executable"},
	{"gx_object_args", "PJRT_LoadedExecutable_Destroy_Args", "object=executable"},
	{"gx_object_out_args", "PJRT_LoadedExecutable_GetExecutable_Args", "object=loaded_executable out=executable"},
	{"gx_object_out_args", "PJRT_Device_GetDescription_Args", "object=device out=device_description"},
	{"gx_string_args", "PJRT_Executable_Name_Args", "object=executable text=executable_name size=executable_name_size"},
	{"gx_string_args", "PJRT_DeviceDescription_Kind_Args", "object=device_description text=device_kind size=device_kind_size"},
	{"gx_string_args", "PJRT_DeviceDescription_DebugString_Args", "object=device_description text=debug_string size=debug_string_size"},
	{"gx_string_args", "PJRT_DeviceDescription_ToString_Args", "object=device_description text=to_string size=to_string_size"},
	{"gx_int_args", "PJRT_DeviceDescription_Id_Args", "object=device_description value=id"},
	{"gx_error_message_args", "PJRT_Error_Message_Args", "error message message_size"},
	{"gx_error_code_args", "PJRT_Error_GetCode_Args", "error code"},
	{"gx_event_ready_args", "PJRT_Event_IsReady_Args", "event is_ready"},
	{"gx_execute_options", "PJRT_ExecuteOptions", "send_callbacks recv_callbacks num_send_ops num_recv_ops launch_id non_donatable=non_donatable_input_indices num_non_donatable=num_non_donatable_input_indices context call_location num_tasks task_ids incarnation_ids"},
	{"gx_execute_args", "PJRT_LoadedExecutable_Execute_Args", "executable options argument_lists num_devices num_args output_lists device_complete_events execute_device"},
	{"gx_ready_event_args", "PJRT_Buffer_ReadyEvent_Args", "buffer event"},
	{"gx_tiled", "PJRT_Buffer_MemoryLayout_Tiled", "minor_to_major minor_to_major_size tile_dims tile_dim_sizes num_tiles"},
	{"gx_memory_layout", "PJRT_Buffer_MemoryLayout", "tiled type"},
	{"gx_from_host_args", "PJRT_Client_BufferFromHostBuffer_Args", "client data type dims num_dims byte_strides num_byte_strides semantics=host_buffer_semantics device memory device_layout done_with_host_buffer buffer"},
	{"gx_to_host_args", "PJRT_Buffer_ToHostBuffer_Args", "src host_layout dst dst_size event"},
	{"gx_to_device_args", "PJRT_Buffer_CopyToDevice_Args", "buffer device=dst_device copy=dst_buffer"},
	{"gx_output_types_args", "PJRT_Executable_OutputElementTypes_Args", "executable types=output_types num_types=num_output_types"},
	{"gx_output_dims_args", "PJRT_Executable_OutputDimensions_Args", "executable num_outputs dims dim_sizes"},
	{"gx_buffer_args", "PJRT_Buffer_IncreaseExternalReferenceCount_Args", "buffer"},
	{"gx_buffer_args", "PJRT_Buffer_DecreaseExternalReferenceCount_Args", "buffer"},
	{"gx_layout_args", "PJRT_Buffer_GetMemoryLayout_Args", "buffer layout"},
	{"gx_device_size_args", "PJRT_Buffer_OnDeviceSizeInBytes_Args", "buffer size=on_device_size_in_bytes"},
	{"gx_on_cpu_args", "PJRT_Buffer_IsOnCpu_Args", "buffer yes=is_on_cpu"},
	{"gx_data_pointer_args", "PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args", "buffer data=device_memory_ptr"},
	{"gx_named_value", "PJRT_NamedValue", "name name_size type integer=int64_value number=float_value value_size"},
	{"gx_cost_args", "PJRT_Executable_GetCostAnalysis_Args", "executable num=num_properties properties"},
	{"gx_c_program", "PJRT_Program", "code code_size format format_size"},
	{"gx_optimized_args", "PJRT_Executable_OptimizedProgram_Args", "executable program"},
	{"gx_memory_stats_args", "PJRT_Executable_GetCompiledMemoryStats_Args", "executable stats=generated_code_size_in_bytes"},
	{"gx_serialize_args", "PJRT_Executable_Serialize_Args", "executable bytes=serialized_bytes size=serialized_bytes_size backing=serialized_executable deleter=serialized_executable_deleter"},
	{"gx_deserialize_args", "PJRT_Executable_DeserializeAndLoad_Args", "client data=serialized_executable size=serialized_executable_size loaded=loaded_executable options=overridden_serialized_compile_options options_size=overridden_serialized_compile_options_size"},
}

// TestLayout compiles static assertions on every index, size and offset that
// direct_layout.h declares, against gopjrt's own header.
func TestLayout(t *testing.T) {
	header, err := os.ReadFile("direct_layout.h")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := compileAssertions(t, assertions(t, string(header))); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	// The check itself is checked: a wrong index does not compile.
	wrong := assertions(t, string(header)) + "_Static_assert(offsetof(PJRT_Api, PJRT_Buffer_Destroy) == GX_TABLE + 8 * GX_Buffer_ToHostBuffer, \"\");\n"
	if _, err := compileAssertions(t, wrong); err == nil {
		t.Error("a wrong index compiles")
	}
}

func assertions(t *testing.T, header string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("#include \"pjrt_c_api.h\"\n#include \"direct_layout.h\"\n")
	check := func(format string, args ...any) {
		cond := fmt.Sprintf(format, args...)
		fmt.Fprintf(&b, "_Static_assert(%s, %q);\n", cond, cond)
	}
	functions := 0
	for line := range strings.Lines(header) {
		name, _, ok := strings.Cut(strings.TrimSpace(line), " = ")
		api, isIndex := strings.CutPrefix(name, "GX_")
		if !ok || !isIndex || api == "TABLE" || strings.ToUpper(api) == api {
			continue
		}
		functions++
		check("offsetof(PJRT_Api, PJRT_%s) == GX_TABLE + 8 * GX_%s", api, api)
	}
	if functions < 20 {
		t.Fatalf("only %d function indices found in the header", functions)
	}
	check("GX_IMMUTABLE_ONLY_DURING_CALL == PJRT_HostBufferSemantics_kImmutableOnlyDuringCall")
	check("GX_LAYOUT_TILED == PJRT_Buffer_MemoryLayout_Type_Tiled")
	check("GX_NAMED_INT64 == PJRT_NamedValue_kInt64")
	check("GX_NAMED_FLOAT == PJRT_NamedValue_kFloat")
	check("sizeof(gx_named_value) == sizeof(PJRT_NamedValue)")
	for _, s := range structs {
		check("sizeof(%s) >= %s_STRUCT_SIZE", s.ours, s.theirs)
		check("sizeof(%s) <= sizeof(%s)", s.ours, s.theirs)
		for f := range strings.FieldsSeq(s.fields) {
			ours, theirs, ok := strings.Cut(f, "=")
			if !ok {
				theirs = ours
			}
			check("offsetof(%s, %s) == offsetof(%s, %s)", s.ours, ours, s.theirs, theirs)
			if ours != "stats" {
				check("sizeof(((%s*)0)->%s) == sizeof(((%s*)0)->%s)", s.ours, ours, s.theirs, theirs)
			}
		}
	}
	check("offsetof(gx_memory_stats_args, stats[10]) == offsetof(PJRT_Executable_GetCompiledMemoryStats_Args, peak_memory_in_bytes)")
	for elem, number := range bufferTypes {
		check("PJRT_Buffer_Type_%s == %d", strings.ToUpper(elem.String()), number)
	}
	return b.String()
}

func compileAssertions(t *testing.T, source string) (string, error) {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/gomlx/gopjrt").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	file := filepath.Join(t.TempDir(), "layout.c")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(dir)), "pjrt")
	args := append(strings.Fields(cc), "-fsyntax-only", "-I"+include, "-I.", file)
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	return string(out), err
}

// TestPrivateFields fails when gopjrt renames what gopjrt_unsafe.go reaches for.
func TestPrivateFields(t *testing.T) {
	for name, p := range privatePaths {
		if err := p.check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
