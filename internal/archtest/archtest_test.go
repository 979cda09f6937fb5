package archtest

import (
	"bytes"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var tree = sync.OnceValues(func() (loaded, error) {
	root, err := moduleRoot()
	if err != nil {
		return loaded{}, err
	}
	fset := token.NewFileSet()
	sources, err := load(root, fset)
	return loaded{root, fset, sources}, err
})

type loaded struct {
	root    string
	fset    *token.FileSet
	sources []*source
}

func loadTree(t *testing.T) loaded {
	t.Helper()
	l, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLayers(t *testing.T) {
	for _, src := range loadTree(t).sources {
		for _, problem := range checkImports(src) {
			t.Error(problem)
		}
	}
}

// checkImports gives the imports of src that the tables do not allow.
func checkImports(src *source) []string {
	var problems []string
	may, known := rowOf(src.pkg)
	if !known {
		return []string{src.name + ": package has no row in internal/archtest/rules.go"}
	}
	for _, imported := range src.imports {
		own, isOwn := strings.CutPrefix(imported, module+"/")
		switch {
		case isOwn && (own == src.pkg || matchesAny(may, own)):
		case isOwn && src.test && matchesAny(testRowOf(src.pkg), own):
		case isOwn:
			problems = append(problems, src.name+": "+src.pkg+" may not import "+own)
		case !outsideAllowed(src, imported):
			problems = append(problems, src.name+": "+src.pkg+" may not import "+imported)
		}
	}
	return problems
}

func rowOf(pkg string) (may string, known bool) {
	for _, row := range layers {
		if matches(row.pkg, pkg) {
			return row.may, true
		}
	}
	return "", false
}

func testRowOf(pkg string) string {
	for _, row := range testLayers {
		if matches(row.pkg, pkg) {
			return row.may
		}
	}
	return ""
}

func outsideAllowed(src *source, imported string) bool {
	for _, row := range outside {
		if imported == row.imported || strings.HasPrefix(imported, row.imported+"/") {
			testing := src.test && slices.ContainsFunc(strings.Fields(testOnly), func(prefix string) bool {
				return strings.HasPrefix(imported, prefix)
			})
			return testing || matchesAny(row.may, src.pkg)
		}
	}
	// Standard library paths have no dot in their first element.
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

// The check itself is checked: planted violations must be found.
func TestPlantedViolations(t *testing.T) {
	for _, test := range []struct {
		pkg, imported string
		test, want    bool
	}{
		{"kernel", "gopherlo/jaxlike/core", false, false},
		{"kernel", "gopherlo/interp", true, false},
		{"kernel", "gopherlo/kernel/wire", false, true},
		{"interp", "gopherlo/kernel", false, false},
		{"interp", "gopherlo/kernel/language", false, true},
		{"jaxlike/stages", "gopherlo/xla/pjrt", false, false},
		{"jaxlike/stages", "gopherlo/xla/pjrt", true, true},
		{"jaxlike/core", "gopherlo/metadata", false, false},
		{"jaxlike/lax", "github.com/traefik/yaegi/interp", false, false},
		{"kernel", "github.com/go-zeromq/zmq4", false, false},
		{"kernel/transport", "github.com/go-zeromq/zmq4", false, true},
		{"xla", "C", false, false},
		{"xla/pjrt", "C", false, true},
		{"jaxlike", "github.com/gomlx/gopjrt/pjrt", true, false},
		{"xla/hlo", "github.com/google/go-cmp/cmp", false, false},
		{"xla/hlo", "github.com/google/go-cmp/cmp", true, true},
		{"display", "example.com/new", false, false},
		{"unheard/of", "fmt", false, false},
	} {
		src := &source{name: "x.go", pkg: test.pkg, test: test.test, imports: []string{test.imported}}
		if got := len(checkImports(src)) == 0; got != test.want {
			t.Errorf("%s imports %s (test file: %v): allowed = %v, want %v", test.pkg, test.imported, test.test, got, test.want)
		}
	}
}

// A row that a row before it hides, or that covers no package, says nothing.
func TestRowsCount(t *testing.T) {
	sources := loadTree(t).sources
	decides := map[string]bool{}
	for _, src := range sources {
		for _, row := range layers {
			if matches(row.pkg, src.pkg) {
				decides[row.pkg] = true
				break
			}
		}
	}
	seen := map[string]bool{}
	for _, row := range layers {
		if seen[row.pkg] {
			t.Errorf("layers has two rows for %s", row.pkg)
		}
		seen[row.pkg] = true
		if !decides[row.pkg] {
			t.Errorf("the row of %s in layers decides for no package", row.pkg)
		}
	}
	for _, row := range outside {
		if row.may != "" && !slices.ContainsFunc(sources, func(src *source) bool {
			return matchesAny(row.may, src.pkg) && slices.ContainsFunc(src.imports, func(imported string) bool {
				return imported == row.imported || strings.HasPrefix(imported, row.imported+"/")
			})
		}) {
			t.Errorf("nothing imports %s, which has a row in outside", row.imported)
		}
	}
}

// Memory is reached around Go's types in few packages, and into gopjrt's private
// fields in one file.
func TestUnsafe(t *testing.T) {
	for _, src := range loadTree(t).sources {
		if src.test {
			continue
		}
		if slices.Contains(src.imports, "unsafe") && !matchesAny(unsafeUse, src.pkg) {
			t.Errorf("%s imports unsafe; see unsafeUse in rules.go", src.name)
		}
		if src.pkg == "xla/pjrt" && slices.Contains(src.imports, "reflect") && src.name != gopjrtUnsafe {
			t.Errorf("%s uses reflection; the private fields of gopjrt are read in %s", src.name, gopjrtUnsafe)
		}
	}
}

// The map of the code names every package, alone or as part of its folder.
func TestMap(t *testing.T) {
	l := loadTree(t)
	text, err := os.ReadFile(filepath.Join(l.root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			continue
		}
		folder := ""
		for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			name := quoted[1]
			if folder != "" && !strings.Contains(name, "/") { // "`jaxlike/ad`, `batching`"
				name = folder + "/" + name
			}
			named[name] = true
			folder = strings.TrimSuffix(name, "/"+filepath.Base(name))
		}
	}
	for _, src := range l.sources {
		whole := matchesAny("internal/... cmd/... xla/hlo/hlopb interp/symbols/gen", src.pkg)
		if !whole && !named[src.pkg] && src.pkg != "" {
			named[src.pkg] = true // once
			t.Errorf("docs/architecture.md has no row for %s", src.pkg)
		}
	}
}

// zmq4's sockets can be frozen or killed by a stranger without the key; only
// its connections are used, under our own listener.
func TestNoZMQSockets(t *testing.T) {
	socket := regexp.MustCompile(`^New(Dealer|Pair|Pub|Pull|Push|Rep|Req|Router|Sub|XPub|XSub)$`)
	l := loadTree(t)
	for _, src := range l.sources {
		if src.test || !slices.ContainsFunc(src.imports, func(s string) bool { return strings.HasPrefix(s, "github.com/go-zeromq/zmq4") }) {
			continue
		}
		ast.Inspect(src.file, func(n ast.Node) bool {
			if sel, ok := n.(*ast.SelectorExpr); ok && socket.MatchString(sel.Sel.Name) {
				if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "zmq4" {
					t.Errorf("%s: zmq4.%s: use connections, not sockets", l.fset.Position(sel.Pos()), sel.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestLengths(t *testing.T) {
	l := loadTree(t)
	for _, src := range l.sources {
		if src.test || generated(src.text) {
			continue
		}
		if lines := l.fset.File(src.file.Pos()).LineCount(); lines > maxFile {
			t.Errorf("%s has %d lines, more than %d: split it (or say //archtest:table)", src.name, lines, maxFile)
		}
		for _, decl := range src.file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			// An init that fills a table may be as long as the table.
			if !ok || fn.Body == nil || fn.Name.Name == "init" {
				continue
			}
			lines := l.fset.Position(fn.End()).Line - l.fset.Position(fn.Pos()).Line + 1
			if lines > maxFunc {
				t.Errorf("%s: %s has %d lines, more than %d: split it", l.fset.Position(fn.Pos()), fn.Name.Name, lines, maxFunc)
			}
		}
	}
}

// Every package says what it is for, and none is a bag of leftovers.
func TestPackages(t *testing.T) {
	documented := map[string]bool{}
	for _, src := range loadTree(t).sources {
		if src.test {
			continue
		}
		documented[src.pkg] = documented[src.pkg] || src.file.Doc != nil
		switch base := filepath.Base(src.pkg); base {
		case "util", "utils", "common", "helpers", "types", "misc", "base":
			t.Errorf("%s: a package called %s says nothing about its contents", src.pkg, base)
		}
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("%s has no package comment", pkg)
		}
	}
}

// A new dependency is a decision: it needs a row above and a reason in the docs.
func TestModules(t *testing.T) {
	root := loadTree(t).root
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	rationale, err := os.ReadFile(filepath.Join(root, "docs", "rationale.md"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^(?:require )?\s*(\S+\.\S+/\S+) v\S+$`)
	var direct []string
	for _, match := range line.FindAllStringSubmatch(string(gomod), -1) {
		direct = append(direct, match[1])
		if !strings.Contains(string(rationale), match[1]) {
			t.Errorf("docs/rationale.md does not say why %s is used", match[1])
		}
	}
	slices.Sort(direct)
	if !slices.Equal(direct, modules) {
		t.Errorf("direct dependencies are\n%s\nwant\n%s", strings.Join(direct, "\n"), strings.Join(modules, "\n"))
	}
}

// Paths of the machine that a file was written on help nobody else.
func TestNoMachinePaths(t *testing.T) {
	machine := regexp.MustCompile(`(?:^|[\s"'=(` + "`" + `])/(?:root|work|home/\w+|Users/\w+)/`)
	// The expression is slow on large files; most hold none of these.
	suspects := []string{"/ro" + "ot/", "/wo" + "rk/", "/home/", "/Users/"}
	root := loadTree(t).root
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name := entry.Name(); name == ".git" || name == "build" || name == "bin" || name == "__pycache__" || name == ".ipynb_checkpoints" {
				return filepath.SkipDir
			}
			return nil
		}
		if info, err := entry.Info(); err != nil || info.Size() > 4<<20 || !info.Mode().IsRegular() || info.Name() == ".git" { // of a worktree
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(suspects, func(s string) bool { return bytes.Contains(text, []byte(s)) }) {
			return nil
		}
		if found := machine.Find(text); found != nil && !slices.Contains(text[:min(len(text), 512)], 0) {
			rel, _ := filepath.Rel(root, path)
			t.Errorf("%s holds the machine path %s…", rel, found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
