package jnp

import (
	"bytes"
	bin "encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"gopherlo/jaxlike/array"
	"gopherlo/jaxlike/core"
	"gopherlo/jaxlike/dtype"
)

// npyMagic begins every file of NumPy's npy format (numpy/lib/format.py).
const npyMagic = "\x93NUMPY"

// npyTypes maps element types to NumPy's names. NumPy knows no bfloat16; JAX
// reads two bytes of unknown meaning as that (jax/_src/numpy/lax_numpy.py, load).
var npyTypes = map[string]string{
	"bool": "|b1", "int8": "|i1", "uint8": "|u1", "int16": "<i2", "uint16": "<u2", "int32": "<i4", "uint32": "<u4",
	"int64": "<i8", "uint64": "<u8", "float16": "<f2", "float32": "<f4", "float64": "<f8",
	"complex64": "<c8", "complex128": "<c16", "bfloat16": "|V2",
}

// Save writes an array to a file in NumPy's npy format (jax.numpy.save). The
// name gets the ending .npy if it has none.
func Save(file string, arr any) {
	if err := save(file, AsArray(arr)); err != nil {
		core.Raise("OSError", "%s", err)
	}
}

func save(file string, x array.Array) error {
	if !strings.HasSuffix(file, ".npy") {
		file += ".npy"
	}
	aval := x.Aval()
	descr, ok := npyTypes[aval.DType.String()]
	if !ok {
		return fmt.Errorf("%s: the npy format has no %s", file, aval.DType)
	}
	shape := "("
	for _, d := range aval.Shape {
		shape += strconv.Itoa(d) + ", "
	}
	if len(aval.Shape) != 1 {
		shape = strings.TrimSuffix(shape, ", ")
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s), }", descr, strings.TrimSuffix(shape, " "))
	// The data begins at a multiple of 64 bytes.
	header += strings.Repeat(" ", 63-(len(npyMagic)+4+len(header))%64) + "\n"
	var b bytes.Buffer
	b.WriteString(npyMagic + "\x01\x00")
	_ = bin.Write(&b, bin.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	b.Write(x.Bytes())
	return writeWhole(file, b.Bytes())
}

// writeWhole puts a file in place at once: a reader never sees a part.
func writeWhole(file string, data []byte) error {
	tmp := file + ".part"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, file)
}

// Load reads an array from a file in NumPy's npy format (jax.numpy.load).
func Load(file string) array.Array {
	aval, data, err := load(file)
	if err != nil {
		core.Raise("OSError", "%s", err)
	}
	return AsArray(array.New(core.NewHostConst(aval, data)))
}

var npyHeader = regexp.MustCompile(`'descr': '([^']+)', 'fortran_order': (True|False), 'shape': \(([0-9, ]*)\)`)

func load(file string) (*core.ShapedArray, []byte, error) {
	all, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	r := bytes.NewReader(all)
	start := make([]byte, len(npyMagic)+2)
	if _, err := io.ReadFull(r, start); err != nil || !strings.HasPrefix(string(start), npyMagic) {
		return nil, nil, fmt.Errorf("%s is no file of the npy format", file)
	}
	size := uint32(0)
	if start[len(npyMagic)] == 1 {
		var short uint16
		err = bin.Read(r, bin.LittleEndian, &short)
		size = uint32(short)
	} else {
		err = bin.Read(r, bin.LittleEndian, &size)
	}
	if err != nil || int64(size) > int64(r.Len()) {
		return nil, nil, fmt.Errorf("%s is cut short", file)
	}
	header := make([]byte, size)
	_, _ = io.ReadFull(r, header)
	data := all[len(all)-r.Len():]
	aval, err := parseNpyHeader(string(header))
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", file, err)
	}
	if want := aval.Size() * aval.DType.Size(); len(data) != want {
		return nil, nil, fmt.Errorf("%s holds %d bytes of data, its header says %d", file, len(data), want)
	}
	return aval, data, nil
}

func parseNpyHeader(header string) (*core.ShapedArray, error) {
	m := npyHeader.FindStringSubmatch(header)
	if m == nil {
		return nil, fmt.Errorf("header %q is not understood", strings.TrimSpace(header))
	}
	if m[2] == "True" {
		return nil, errors.New("its data is in Fortran's order; save it as a C-ordered array")
	}
	aval := &core.ShapedArray{}
	for name, descr := range npyTypes {
		if descr == m[1] {
			aval.DType, _ = dtype.Parse(name)
		}
	}
	if aval.DType == dtype.Invalid {
		return nil, fmt.Errorf("elements of type %q are not supported", m[1])
	}
	aval.Shape = []int{}
	for dim := range strings.SplitSeq(m[3], ",") {
		if dim = strings.TrimSpace(dim); dim == "" {
			continue
		}
		d, err := strconv.Atoi(dim)
		if err != nil {
			return nil, err
		}
		aval.Shape = append(aval.Shape, d)
	}
	return aval, nil
}
