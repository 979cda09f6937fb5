package hlo_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"gopherlo/xla/hlo"
	"gopherlo/xla/hlo/hlopb"
)

// golden returns the files of testdata/hlo-print.tar.gz and more.tar.gz (further
// programs and hand-written modules) by name: protos of modules (NAME.pb) and
// XLA's own text of them in every style. The folder hlo-print of
// GOPHERLO_GOLDEN, when set, adds to them.
var golden = sync.OnceValues(func() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, name := range []string{"testdata/hlo-print.tar.gz", "testdata/more.tar.gz"} {
		if err := unpack(name, files); err != nil {
			return nil, err
		}
	}
	if dir := os.Getenv("GOPHERLO_GOLDEN"); dir != "" {
		more, _ := filepath.Glob(filepath.Join(dir, "hlo-print", "*"))
		for _, name := range more {
			if b, err := os.ReadFile(name); err == nil && filepath.Ext(name) != ".json" {
				files[filepath.Base(name)] = b
			}
		}
	}
	return files, nil
})

// unpack reads an archive into files.
func unpack(name string, files map[string][]byte) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return err
	}
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if files[h.Name], err = io.ReadAll(t); err != nil {
			return err
		}
	}
}

// eachModule runs f on every golden module, in order of names.
func eachModule(t testing.TB, f func(name string, pb []byte, m *hlo.Module, files map[string][]byte)) {
	t.Helper()
	files, err := golden()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for n := range files {
		if s, ok := strings.CutSuffix(n, ".pb"); ok {
			names = append(names, s)
		}
	}
	sort.Strings(names)
	if len(names) < 900 {
		t.Fatalf("%d golden modules, want at least 900", len(names))
	}
	for _, n := range names {
		pb := files[n+".pb"]
		m, err := hlo.Unmarshal(pb)
		if err != nil {
			t.Errorf("%s: %v", n, err)
			continue
		}
		f(n, pb, m, files)
	}
}

func TestMarshalGolden(t *testing.T) {
	eachModule(t, func(name string, pb []byte, m *hlo.Module, _ map[string][]byte) {
		out, err := m.Marshal()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		var want, got hlopb.Module
		if err := proto.Unmarshal(pb, &want); err != nil {
			t.Fatal(err)
		}
		if err := proto.Unmarshal(out, &got); err != nil {
			t.Fatal(err)
		}
		dropEmpty(want.ProtoReflect())
		dropEmpty(got.ProtoReflect())
		if !proto.Equal(&want, &got) {
			t.Errorf("%s: proto changed: %s", name, firstDiff(want.String(), got.String()))
		}
	})
}

// dropEmpty removes messages without content: whether they are present makes
// no difference in these protos.
func dropEmpty(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsList() && f.Message() != nil:
			for i := range v.List().Len() {
				dropEmpty(v.List().Get(i).Message())
			}
		case f.IsMap(), f.Message() == nil, f.IsList():
		default:
			dropEmpty(v.Message())
			if proto.Size(v.Message().Interface()) == 0 {
				m.Clear(f)
			}
		}
		return true
	})
}

// firstDiff shows the first line in which two texts differ.
func firstDiff(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range w {
		if i >= len(g) || w[i] != g[i] {
			have := "(end)"
			if i < len(g) {
				have = g[i]
			}
			return "\n want " + cut(w[i]) + "\n got  " + cut(have)
		}
	}
	return "\n got more: " + cut(strings.Join(g[len(w):], "\n"))
}

func cut(s string) string { return s[:min(len(s), 400)] }

type style struct {
	suffix  string
	options hlo.PrintOptions
}

// styles lists the golden texts of each print style, printed by XLA from a
// proto that it had read again.
var styles = []style{
	{"short", hlo.ShortParsable()},
	{"short_metadata", hlo.ShortParsableMetadata()},
	{"default", hlo.DefaultOptions()},
	{"canonical", hlo.Canonical()},
}

func TestTextGolden(t *testing.T) {
	right, wrong := map[string]int{}, map[string]int{}
	eachModule(t, func(name string, pb []byte, m *hlo.Module, files map[string][]byte) {
		if as, ok := files[name+".as_text.txt"]; ok {
			m.Config = configOf(string(as))
			compare(t, name+" as_text", string(as), m.Text(hlo.CompiledText()), right, wrong)
			m.Config = nil
		}
		m.CompactStackFrames()
		for _, s := range styles {
			if want, ok := files[name+"."+s.suffix+".txt"]; ok {
				compare(t, name+" "+s.suffix, string(want), m.Text(s.options), right, wrong)
			}
		}
	})
	t.Logf("right %v, wrong %v", right, wrong)
}

func compare(t *testing.T, what, want, got string, right, wrong map[string]int) {
	t.Helper()
	style := what[strings.IndexByte(what, ' ')+1:]
	if want == got {
		right[style]++
		return
	}
	wrong[style]++
	if wrong[style] <= 5 {
		t.Errorf("%s: %s", what, firstDiff(want, got))
	}
}

var flagLists = regexp.MustCompile(`allow_spmd_sharding_propagation_to_(parameters|output)=\{([a-z,]*)\}`)

// configOf takes from the first line of a text what the proto does not hold.
func configOf(text string) *hlo.Config {
	line, _, _ := strings.Cut(text, "\n")
	c := &hlo.Config{}
	for _, f := range flagLists.FindAllStringSubmatch(line, -1) {
		list := []bool{}
		for v := range strings.SplitSeq(f[2], ",") {
			if v != "" {
				list = append(list, v == "true")
			}
		}
		if f[1] == "output" {
			c.AllowSPMDToOutput = list
		} else {
			c.AllowSPMDToParameters = list
		}
	}
	if strings.Contains(line, "num_partitions=8") {
		c.NumPartitions = 8
	}
	return c
}

func TestWriteText(t *testing.T) {
	eachModule(t, func(name string, _ []byte, m *hlo.Module, _ map[string][]byte) {
		var b bytes.Buffer
		if err := m.WriteText(&b, hlo.ShortParsable()); err != nil || b.String() != m.String() {
			t.Errorf("%s: WriteText differs from String (%v)", name, err)
		}
	})
}
