package interp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gopherlo/kernel/language"
)

// TestProgramsAsPackages runs the programs of TestPrograms from packages: what Go has
// made of them is the same but for the package's name in types.
func TestProgramsAsPackages(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	dir := t.TempDir()
	type program struct{ name, want string }
	var list []program
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !packageRE.Match(text) {
			continue
		}
		want, err := os.ReadFile(strings.TrimSuffix(f, ".txt") + ".want")
		if err != nil {
			t.Fatal(err)
		}
		name := "p" + regexp.MustCompile(`\W`).ReplaceAllString(strings.TrimSuffix(filepath.Base(f), ".txt"), "")
		writeFiles(t, dir, map[string]string{name + "/main.go": strings.Replace(packageRE.ReplaceAllString(string(text), "package "+name), "\nfunc main()", "\nfunc Main()", 1)})
		list = append(list, program{name, regexp.MustCompile(`\bmain\b`).ReplaceAllString(string(want), name)})
	}
	t.Chdir(dir)
	for _, p := range list {
		got := strings.Split(runProgram("import \"./"+p.name+"\"\n"+p.name+".Main()"), "\n")
		for i, line := range strings.Split(p.want, "\n") {
			if i >= len(got) || got[i] != line {
				t.Errorf("%s, line %d: got %q, want %q", p.name, i+1, append(got, "")[min(i, len(got))], line)
				break
			}
		}
	}
}

// writeFiles writes files below a folder.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// packageSession runs cells in a folder.
type packageSession struct {
	t  *testing.T
	in *Interp
	n  int
}

func newPackageSession(t *testing.T, files map[string]string) *packageSession {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, files)
	t.Chdir(dir)
	s := &packageSession{t: t, in: New(Options{})}
	t.Cleanup(s.in.rt.Close)
	return s
}

// run gives what a cell prints, its value, its notes and its error.
func (s *packageSession) run(code string) string {
	s.n++
	host := &recorder{}
	res := s.in.Execute(context.Background(), language.Request{Code: code, Count: s.n}, host)
	out := host.stdout.String()
	if res.Value != nil {
		out += fmt.Sprintf("= %v\n", res.Value["text/plain"])
	}
	if notes := host.stderr.String(); notes != "" {
		out += notes
	}
	if res.Error != nil {
		out += strings.Join(res.Error.Traceback, "\n") + "\n"
	}
	return out
}

// want runs a cell and compares.
func (s *packageSession) want(code, want string) {
	s.t.Helper()
	if got := s.run(code); got != want {
		s.t.Errorf("%s\ngives %q\nwant  %q", code, got, want)
	}
}

// has runs a cell and looks for parts of what it gives.
func (s *packageSession) has(code string, parts ...string) {
	s.t.Helper()
	got := s.run(code)
	for _, p := range parts {
		if !strings.Contains(got, p) {
			s.t.Errorf("%s\ngives %q\nwithout %q", code, got, p)
		}
	}
}

const geoSource = `// Package geo has places.
package geo

import "fmt"

// Point is a place.
type Point struct {
	X, Y int
	tag  string
}

// Origin is the middle.
var Origin = Point{tag: "o"}

var count = begin()

func begin() int { return 10 }

func init() { count++ }

// New makes a point.
func New(x, y int) *Point { count++; return &Point{x, y, "n"} }

func Count() int { return count }

func (p Point) String() string     { return fmt.Sprintf("<%d %d %s>", p.X, p.Y, p.tag) }
func (p *Point) Move(d int) *Point { p.X += d; return p }

type Shape interface {
	Area() int
	name() string
}

type Square int

func (s Square) Area() int    { return int(s * s) }
func (s Square) name() string { return "square" }

func Name(s Shape) string { return s.name() }

func At(list []int, i int) int {
	return list[i]
}

// Pair has two values.
type Pair[K comparable, V any] struct {
	Key K
	Val V
}

func (p Pair[K, V]) Swap() Pair[string, K] { return Pair[string, K]{fmt.Sprint(p.Val), p.Key} }

func Map[T, U any](list []T, f func(T) U) (out []U) {
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}
`

func TestPackages(t *testing.T) {
	s := newPackageSession(t, map[string]string{"geo/geo.go": geoSource, "geo/geo_test.go": "package geo\n\nbroken"})
	s.want("import \"./geo\"\np := geo.New(1, 2)\nfmt.Println(p, *p, geo.Origin, geo.Count())", "<1 2 n> <1 2 n> <0 0 o> 12\n")
	s.want("fmt.Printf(\"%T %T %#v %T\\n\", p, *p, geo.Square(2), geo.Pair[string, int]{})", "*geo.Point geo.Point 2 geo.Pair[string,int]\n")
	s.want("p.Move(5).X", "= 6\n")
	s.want("geo.Name(geo.Square(3))", "= square\n")
	s.want("geo.Pair[string, int]{\"a\", 1}.Swap()", "= {1 a}\n")
	s.want("geo.Map([]int{1, 2}, func(i int) string { return fmt.Sprint(-i) })", "= [-1 -2]\n")
	s.has("geo", "cell 7, line 1:1: use of package geo without selector")
	s.has("p.tag", "cell 8, line 1:3: p.tag undefined (cannot refer to unexported field tag)")
	s.has("geo.begin()", "geo.begin")
	s.want("type At struct { geo.Point; Z int }\nfmt.Println(At{*p, 1}, At{}.X)", "<6 2 n> 0\n")
	s.want("var sh geo.Shape = geo.Square(2)\n_, ok := sh.(interface{ Area() int })\nok", "= true\n")
	s.has("func (p geo.Point) More() {}", "CompileError")
	s.want("geo.Origin.X = 7\ngeo.Origin", "= <7 0 o>\n")
	if !raceEnabled {
		s.want("geo.At([]int{1}, 3)", "panic: runtime error: index out of range [3] with length 1\ngeo/geo.go:42, in geo.At\ncell 14, line 1\n")
	}
	s.want("import . \"./geo\"\nNew(0, 0).Move(1)", "= <1 0 n>\n")
	s.want("Map([]Square{2}, Square.Area)", "= [4]\n")
	s.want("import g \"./geo\"\ng.Count()", "= 13\n")
	s.want("t := reflect.TypeOf(geo.Point{})\nfmt.Println(t, t.PkgPath(), t.Name(), reflect.TypeOf(At{}).PkgPath())", "geo.Point geo Point main\n")
}

func TestPackageMistakes(t *testing.T) {
	s := newPackageSession(t, map[string]string{
		"go.mod":               "module example.org/nb\n\nrequire example.org/gone v1.0.0\n",
		"bad/a.go":             "package bad\n\nfunc F() int { return \"x\" }\n",
		"bad/b.go":             "package bad\n\nimport \"os\"\n\nvar x = none\n",
		"syntax/a.go":          "package syntax\n\nfunc {\n",
		"two/a.go":             "package one\n",
		"two/b.go":             "package two\n",
		"prog/a.go":            "package main\n\nfunc main() {}\n",
		"cyc/a.go":             "package cyc\n\nimport _ \"example.org/nb/cyc/b\"\n",
		"cyc/b/b.go":           "package b\n\nimport _ \"example.org/nb/cyc\"\n",
		"uses/a.go":            "package uses\n\nimport \"example.org/nb/bad\"\n\nvar X = bad.F()\n",
		"hidden/internal/h.go": "package internal\n\nvar X = 1\n",
		"peeks/a.go":           "package peeks\n\nimport \"example.org/nb/hidden/internal\"\n\nvar X = internal.X\n",
		"asm/a.go":             "package asm\n\nfunc F() int\n\nfunc G() int { return 2 }\n",
		"emb/a.go":             "package emb\n\nimport _ \"embed\"\n\n//go:embed a.go\nvar S string\n",
		"fails/a.go":           "package fails\n\nimport \"fmt\"\n\nvar m map[int]int\n\nfunc init() {\n\tfmt.Println(\"begins\")\n\tm[1] = 1\n}\n",
		"ops/a.go":             "package ops\n\nimport jax \"gopherlo/jaxlike\"\n\nfunc F(x jax.Array) jax.Array { return x + x }\n",
		"gone/a.go":            "package gone\n\nimport _ \"example.org/gone/x\"\n",
		"ends/a.go":            "package ends\n\nimport \"os\"\n\nfunc init() { os.Exit(3) }\n",
		"cgo/a.go":             "package cgo\n\nimport \"C\"\n",
		"other/a_windows.go":   "package other\n",
	})
	t.Setenv("GOMODCACHE", t.TempDir())
	s.want("import \"example.org/nb/bad\"", `CompileError: package example.org/nb/bad has mistakes: bad/a.go:3:23: cannot use "x" (untyped string constant) as int value in return statement
cell 1, line 1:8: package example.org/nb/bad has mistakes: bad/a.go:3:23: cannot use "x" (untyped string constant) as int value in return statement
    bad/b.go:3:8: "os" imported and not used
    bad/b.go:5:9: undefined: none
    import "example.org/nb/bad"
           ^
`)
	for path, want := range map[string]string{
		"example.org/nb/syntax": "syntax/a.go:3:6: syntax error: unexpected {, expected name or (",
		"example.org/nb/two":    "found packages one (a.go) and two (b.go)",
		"example.org/nb/prog":   "is a program, not an importable package",
		"example.org/nb/cyc":    "cyc/b/b.go:3:10: import cycle not allowed: example.org/nb/cyc imports example.org/nb/cyc/b imports example.org/nb/cyc",
		"./uses":                "bad/a.go:3:23: cannot use \"x\"",
		"./peeks":               "peeks/a.go:3:8: use of internal package example.org/nb/hidden/internal not allowed",
		"example.org/nb/emb":    "embeds files; `gopherlo build --with ./emb`",
		"./ops":                 "ops/a.go:5:40: invalid operation: operator + not defined on x (variable of struct type jaxlike.Array); operators of Arrays are for cells",
		"./gone":                "example.org/gone v1.0.0, which go.mod requires, is not in the module cache; `go mod download` fetches it",
		"./other":               "no buildable Go source files",
		"./cgo":                 "package example.org/nb/cgo needs cgo",
		"geo":                   "--with PATH", // a folder's name is a path outside of modules alone
		"example.org/nb/none":   "neither in this kernel nor in the module cache",
	} {
		s.has("import _ \""+path+"\"", "CompileError", want)
	}
	s.has("import _ \"./fails\"", "begins\npanic: assignment to entry in nil map\nfails/a.go:", "\nwhile package example.org/nb/fails was initialized\n")
	s.has("import _ \"./fails\"", "begins\n", "assignment to entry in nil map") // not taken for ready
	s.want("import \"./asm\"\nasm.G()", "= 2\n")                                // Go leaves F to the assembler
	s.has("asm.F()", "panic: asm/a.go:3: asm.F is written in assembly; `gopherlo build --with ./asm`")
	s.has("import \"./ends\"", "SystemExit: 3")
	s.want("1 + 1", "= 2\n")
}

// TestPackageLoadedAgain changes the files of a package.
func TestPackageLoadedAgain(t *testing.T) {
	s := newPackageSession(t, map[string]string{
		"up/up.go":   "package up\n\nimport \"down\"\n\nfunc F() int { return down.X }\n",
		"down/d.go":  "package down\n\nvar X = 1\n\ntype T struct{ A int }\n\nfunc Use(t T) int { return t.A }\n",
		"other/o.go": "package other\n\nvar X = 5\n",
	})
	change := func(name, text string) {
		writeFiles(t, ".", map[string]string{name: text})
		if err := os.Chtimes(name, time.Time{}, time.Now().Add(time.Duration(s.n)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	s.want("import (\n\"up\"\n\"down\"\n\"other\"\n)\nv := down.T{3}\nup.F() + other.X", "= 6\n")
	s.want("down.X = 2\nup.F()", "= 2\n")
	change("down/d.go", "package down\n\nvar X = 100\n\ntype T struct{ A, B int }\n\nfunc Use(t T) int { return t.B }\n")
	s.has("up.F(1)", "too many arguments", "\n    the files of package up have changed; run its import again to use them\n")
	s.want("up.F()", "= 2\n")
	s.want("import \"up\"\nup.F()", "= 100\nnote: package up has been loaded again; functions and values of earlier cells keep that of then\n")
	s.want("down.Use(down.T{1, 2}) + v.A", "= 5\n")
	s.has("down.Use(v)", "CompileError", "cannot use v", "the one is of before package down was loaded again")
	change("down/d.go", "package down\n\nvar X = \"\n")
	s.has("import \"down\"", "down/d.go:3:10: newline in string")
	change("down/d.go", "package down\n\nvar X = 7\n")
	s.has("import \"down\"\ndown.X", "= 7\n")
	s.want("up.F()", "= 100\nnote: the files of package up have changed; run its import again to use them\n")
	change("up/more.go", "package up\n\nfunc G() int { return -F() }\n")
	s.has("import \"up\"\nup.G()", "= -7\n")
}

// TestPackageElsewhere goes to another folder, which has another package of the name.
func TestPackageElsewhere(t *testing.T) {
	s := newPackageSession(t, map[string]string{
		"geo/g.go":       "package geo\n\nvar Where = \"here\"\n",
		"there/geo/g.go": "package geo\n\nvar Where = \"there\"\n",
		"empty/x.txt":    "",
	})
	s.want("import \"./geo\"\ngeo.Where", "= here\n")
	s.want("os.Chdir(\"empty\")\ngeo.Where", "= here\n")
	s.want("geo.Where + \"!\"", "= here!\n")
	s.want("os.Chdir(\"../there\")", "")
	s.want("geo.Where", "= here\n")
	s.want("import \"./geo\"\ngeo.Where", "= there\n")
}

// TestPackageMended mends a package that another needs.
func TestPackageMended(t *testing.T) {
	s := newPackageSession(t, map[string]string{
		"up/up.go":  "package up\n\nimport \"down\"\n\nvar X = down.X\n",
		"down/d.go": "package down\n\nvar X = none\n",
	})
	s.has("import \"up\"", "down/d.go:3:9: undefined: none")
	writeFiles(t, ".", map[string]string{"down/d.go": "package down\n\nvar X = 3 + 4\n"})
	s.want("import \"up\"\nup.X", "= 7\n")
}

// TestPackageKept: a cell that fails its check leaves the package as it was.
func TestPackageKept(t *testing.T) {
	s := newPackageSession(t, map[string]string{"geo/g.go": "package geo\n\nvar Count = 1\n"})
	s.want("import \"./geo\"\ngeo.Count = 7", "")
	writeFiles(t, ".", map[string]string{"geo/g.go": "package geo\n\nvar Count = 1 + 1\n"})
	s.has("import \"./geo\"\nundefinedX", "undefined: undefinedX")
	s.has("geo.Count", "= 7\n")
	writeFiles(t, ".", map[string]string{"geo/g.go": "package geo\n\nvar Count = none\n"})
	s.has("import \"./geo\"", "geo/g.go:3:13: undefined: none")
	s.has("geo.Count", "= 7\n")
	writeFiles(t, ".", map[string]string{"geo/g.go": "package geo\n\nvar Count int\n\nfunc init() { panic(\"no\") }\n"})
	s.has("import \"./geo\"", "panic: no")
	s.has("geo.Count", "= 7\n")
	writeFiles(t, ".", map[string]string{"geo/g.go": "package geo\n\nvar Count = 100\n"})
	s.has("import \"./geo\"\ngeo.Count", "= 100\n", "loaded again")
}

// TestPackageInterrupted ends an init function that does not end.
func TestPackageInterrupted(t *testing.T) {
	s := newPackageSession(t, map[string]string{"slow/s.go": "package slow\n\nimport \"fmt\"\n\nfunc init() {\n\tfmt.Println(\"on\")\n\tfor {\n\t}\n}\n"})
	ctx, cancel := context.WithCancel(context.Background())
	host := &recorder{}
	go func() {
		host.await("stdout: on\n")
		cancel()
	}()
	res := s.in.Execute(ctx, language.Request{Code: "import \"./slow\"", Count: 1}, host)
	if res.Error == nil || res.Error.Name != "KeyboardInterrupt" {
		t.Errorf("%+v", res)
	}
	s.n = 1
	s.want("2", "= 2\n")
}

// TestPackageCompletion asks for members, documentation and paths.
func TestPackageCompletion(t *testing.T) {
	s := newPackageSession(t, map[string]string{"geo/geo.go": geoSource, "more/deep/d.go": "package deep\n"})
	s.run("import \"./geo\"")
	for text, want := range map[string]string{"geo.Ne": "New", "geo.Origin.Mo": "Move", "import \"./mo": "./more/deep", "geo.Point{X": "X"} {
		c := s.in.Complete(context.Background(), text, len(text))
		if !strings.Contains(fmt.Sprint(c.Matches), want) {
			t.Errorf("%s: %v, want %s", text, c.Matches, want)
		}
		if strings.Contains(fmt.Sprint(c.Matches), "begin") {
			t.Errorf("%s offers what cells cannot name: %v", text, c.Matches)
		}
	}
	for text, want := range map[string]string{
		"geo.New": "New makes a point.", "geo.Point": "Point is a place.", "geo": "Package geo has places.",
		"geo.Origin": "declared in geo/geo.go",
	} {
		found := s.in.Inspect(context.Background(), text, len(text), 0)
		if !strings.Contains(fmt.Sprint(found), want) {
			t.Errorf("%s: %v, want %s", text, found, want)
		}
	}
}

// TestPackageGuessed imports from the module cache without a go.mod.
func TestPackageGuessed(t *testing.T) {
	cache := t.TempDir()
	writeFiles(t, cache, map[string]string{
		"example.org/m@v1.0.0/m.go":     "package m\n\nconst V = 1\n",
		"example.org/m@v1.2.0/m.go":     "package m\n\nimport \"example.org/m/sub\"\n\nconst V = sub.V\n",
		"example.org/m@v1.2.0/sub/s.go": "package sub\n\nconst V = 2\n\nfunc F() { panic(V) }\n",
	})
	t.Setenv("GOMODCACHE", cache)
	s := newPackageSession(t, nil)
	s.want("import \"example.org/m\"\nm.V", "= 2\nnote: example.org/m is v1.2.0, the newest in the module cache\n")
	s.has("import \"example.org/m/sub\"\nsub.F()", "panic: 2\nexample.org/m@v1.2.0/sub/s.go:5, in sub.F\n")
}

// TestPackageOnce imports a package from two cells at once: its init function runs once.
func TestPackageOnce(t *testing.T) {
	s := newPackageSession(t, map[string]string{"once/o.go": "package once\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nvar N int\n\nfunc init() {\n\tN++\n\tfmt.Println(\"on\")\n\ttime.Sleep(50 * time.Millisecond)\n\tN++\n}\n"})
	host := &recorder{}
	done := make(chan language.Result)
	go func() {
		done <- s.in.Execute(context.Background(), language.Request{Code: "import \"./once\"\nonce.N", Count: 1, Cell: 1}, host)
	}()
	host.await("stdout: on\n")
	second := s.in.ExecuteBeside(context.Background(), language.Request{Code: "import \"./once\"\nonce.N", Count: 2, Cell: 2}, host)
	first := <-done
	if first.Error != nil || second.Error != nil || fmt.Sprint(first.Value["text/plain"], second.Value["text/plain"]) != "22" {
		t.Errorf("%+v, %+v", first, second)
	}
	if n := strings.Count(host.stdout.String(), "on\n"); n != 1 {
		t.Errorf("the init function ran %d times", n)
	}
}

// TestPackageTwoFolders imports two folders of one name.
func TestPackageTwoFolders(t *testing.T) {
	s := newPackageSession(t, map[string]string{"nb/geo/g.go": "package geo\n\nconst V = 1\n", "geo/g.go": "package geo\n\nconst V = 2\n"})
	t.Chdir("nb")
	s.has("import (\na \"./geo\"\nb \"../geo\"\n)\na.V + b.V", "two folders have the import path geo: give each a go.mod")
	s.want("import \"../geo\"\ngeo.V", "= 2\n")
}
