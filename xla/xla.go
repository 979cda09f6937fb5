// Package xla is the seam between the product and an XLA runtime: clients,
// devices, buffers and loaded executables as interfaces, a registry of
// backends, and status errors in XLA's own words. Package xla/pjrt implements
// it on a PJRT plugin.
package xla

import (
	"fmt"

	"gopherlo/xla/hlo"
)

// Client is a connection to one platform's runtime.
type Client interface {
	// Platform is the platform's name in lower case: "cpu", "cuda", "tpu".
	Platform() string
	PlatformVersion() string
	Devices() []Device
	// Compile compiles program. Errors are *StatusError.
	Compile(program Program, opts CompileOptions) (LoadedExecutable, error)
	// Deserialize loads what LoadedExecutable.Serialize gave.
	Deserialize(data []byte) (LoadedExecutable, error)
	// NewBuffer copies host data (row-major, little-endian, 4-bit types one
	// byte per element) to a device. data may be reused when it returns.
	NewBuffer(data []byte, elem hlo.PrimitiveType, dims []int64, device Device) (Buffer, error)
	Close() error
}

// Device is one addressable device. String is as JAX 0.12.0.1 prints it:
// "cpu:0"; %#v gives its repr: CpuDevice(id=0).
type Device interface {
	ID() int
	Kind() string
	String() string
}

// Format names the encoding of a program's code.
type Format string

// The formats that PJRT plugins take.
const (
	FormatHLO  Format = "hlo"  // serialised HloModuleProto
	FormatMLIR Format = "mlir" // StableHLO text or bytecode
)

// Program is what a client compiles.
type Program struct {
	Format Format
	Code   []byte
	// NumParams and NumResults count the entry's parameters and (untupled)
	// results; they set allow_spmd_sharding_propagation_to_* as JAX does.
	NumParams, NumResults int
}

// CompileOptions are the options of one compilation. Overrides become
// env_option_overrides; values are string, bool, int64 or float64. When several
// entries are bad, the first is reported, in the order of Order and then of the
// keys' names.
// OptimizationLevel and MemoryFittingLevel are XLA's numbers (0, 9, 19, 29, 39).
type CompileOptions struct {
	Overrides          map[string]any
	Order              []string
	OptimizationLevel  int
	MemoryFittingLevel int
	Profile            []byte // for feedback-directed optimisation
	DeviceOrdinal      int
}

// LoadedExecutable is a compiled program on its device. It is safe for
// concurrent use.
type LoadedExecutable interface {
	Name() string
	// Execute runs the program on args and returns one buffer per result. The
	// arguments listed in donated are consumed; no other is.
	Execute(args []Buffer, donated []int) ([]Buffer, error)
	// OptimizedModule is the program after XLA's passes, with the parts of the
	// module's config that its header line prints.
	OptimizedModule() (*hlo.Module, error)
	Serialize() ([]byte, error)
	MemoryStats() (MemoryStats, error)
	// OutputShapes gives the element type and dimensions of each result.
	OutputShapes() ([]hlo.Shape, error)
	Delete()
}

// MemoryStats are sizes in bytes, as CompiledMemoryStats.
type MemoryStats struct {
	GeneratedCodeSize, ArgumentSize, OutputSize, AliasSize, TempSize       int64
	HostGeneratedCodeSize, HostArgumentSize, HostOutputSize, HostAliasSize int64
	HostTempSize                                                           int64
}

// String prints the sizes as JAX 0.12.0.1 prints its CompiledMemoryStats.
func (s MemoryStats) String() string {
	return fmt.Sprintf("CompiledMemoryStats(generated_code_size_in_bytes=%d, argument_size_in_bytes=%d, output_size_in_bytes=%d, alias_size_in_bytes=%d, temp_size_in_bytes=%d, host_generated_code_size_in_bytes=%d, host_argument_size_in_bytes=%d, host_output_size_in_bytes=%d, host_alias_size_in_bytes=%d, host_temp_size_in_bytes=%d)",
		s.GeneratedCodeSize, s.ArgumentSize, s.OutputSize, s.AliasSize, s.TempSize,
		s.HostGeneratedCodeSize, s.HostArgumentSize, s.HostOutputSize, s.HostAliasSize, s.HostTempSize)
}

// Buffer is an array in device memory. It is safe for concurrent use; use
// after Delete or donation is an error.
type Buffer interface {
	ElementType() hlo.PrimitiveType
	Dims() []int64
	Device() Device
	// ToHost waits for the value and copies it out, row-major, little-endian.
	ToHost() ([]byte, error)
	// Await blocks until the value is there or its computation has failed.
	Await() error
	Delete()
	Deleted() bool
}

// Viewer is a Buffer that can show its elements without a copy where they lie
// in the host's memory in row-major order. f must not change or keep data.
type Viewer interface {
	View(f func(data []byte) error) error
}

// View calls f with the elements of b, row-major, copied only where they must
// be. f must not change or keep data.
func View(b Buffer, f func(data []byte) error) error {
	if v, ok := b.(Viewer); ok {
		return v.View(f)
	}
	data, err := b.ToHost()
	if err != nil {
		return err
	}
	return f(data)
}

// CostAnalyzer is a LoadedExecutable whose compiler estimates costs itself. An
// Unimplemented status says that it does not.
type CostAnalyzer interface {
	CostAnalysis() (map[string]float64, error)
}

// FlagClient is a Client that knows the XLA_FLAGS that it was made with.
type FlagClient interface {
	XLAFlags() string
}
