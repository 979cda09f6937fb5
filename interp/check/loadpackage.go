package check

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gopherlo/interp/gosyntax"
	"gopherlo/interp/modules"
)

// PackageError tells why a package cannot be interpreted: what its compilation would
// say, or what interpreting it would need.
type PackageError struct {
	Build string   // see [Package.BuildPath]
	Lines []string // each with its file and line where it has one
	// Compiler tells that the package is right and only a compiler can make it run.
	Compiler bool
}

func (e *PackageError) Error() string { return strings.Join(e.Lines, "\n") }

// pureTags are the build tags by which packages leave out assembly and package unsafe.
var pureTags = []string{"purego", "appengine", "noasm", "safe", "nounsafe"}

// pureContext is the go command's without cgo, assembly and package unsafe.
func pureContext() build.Context {
	ctxt := build.Default
	ctxt.CgoEnabled = false
	ctxt.BuildTags = append(slices.Clone(ctxt.BuildTags), pureTags...)
	return ctxt
}

// mostMistakes is how many mistakes of a package are told.
const mostMistakes = 10

// sourceImporter imports for a package from source: built-in packages, and those
// that its module sees.
type sourceImporter struct {
	s *Session
	p *Package
	// deps are the errors of the packages that it imports.
	deps []*PackageError
}

// Import implements types.Importer.
func (im *sourceImporter) Import(path string) (pkg *types.Package, err error) {
	defer func() { im.p.lacks = im.p.lacks || err != nil }()
	if path == "C" {
		return nil, errors.New("cgo needs a compiler")
	}
	if pkg, err := im.s.builtin(path); err == nil {
		return pkg, nil
	}
	dep, err := im.s.load(im.p.Folder.Root, im.p.Folder.Dir, path)
	var wrong *PackageError
	switch {
	case errors.Is(err, modules.ErrNotFound):
		return nil, errors.New(im.s.notBuiltIn(path))
	case errors.As(err, &wrong):
		im.deps = append(im.deps, wrong)
		return nil, err
	case err != nil:
		return nil, err
	case !visibleFrom(im.p.Path, dep.Path):
		return nil, errors.New("use of internal package " + dep.Path + " not allowed")
	}
	if !slices.Contains(im.p.Deps, dep) {
		im.p.Deps = append(im.p.Deps, dep)
	}
	return dep.Pkg, nil
}

// visibleFrom is Go's rule for internal packages.
func visibleFrom(importer, path string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return true
	}
	parent := strings.TrimSuffix(path[:max(i-1, 0)], "/")
	return parent == "" || importer == parent || strings.HasPrefix(importer, parent+"/")
}

// load gives the package that an import path means to a package of a module, and in
// a folder; without, to cells. The notebook's module has chosen the versions of all.
func (s *Session) load(from modules.Root, dir, path string) (*Package, error) {
	if s.env.Dir == nil {
		return nil, modules.ErrNotFound
	}
	if p := s.packages[path]; p != nil && dir == "" { // wherever the cells are now
		return p, nil
	}
	if dir == "" || !strings.HasPrefix(path, ".") {
		dir = s.env.Dir()
	}
	folder, err := modules.Find(dir, from, path)
	if err != nil {
		return nil, err
	}
	if p := s.packages[folder.Path]; p != nil && p.Folder.Dir == folder.Dir {
		return p, nil
	} else if p != nil {
		return nil, errors.New("two folders have the import path " + folder.Path + ": give each a go.mod")
	}
	if f := s.failed[folder.Path]; f != nil && f.stamps.same() {
		return nil, f.err
	}
	if i := slices.Index(s.loading, folder.Path); i >= 0 {
		return nil, errors.New("import cycle not allowed: " + strings.Join(append(slices.Clone(s.loading[i:]), folder.Path), " imports "))
	}
	if s.Loading != nil {
		if err := s.Loading(append(s.loading, folder.Path)[0]); err != nil {
			return nil, err
		}
	}
	s.loading = append(s.loading, folder.Path)
	defer func() { s.loading = s.loading[:len(s.loading)-1] }()
	p := &Package{Path: folder.Path, Folder: folder, s: s}
	if m := folder.Root; m.Guessed && !s.guessed[m.Path] {
		s.guessed[m.Path] = true
		p.Note = m.Path + " is " + m.Version + ", the newest in the module cache"
	}
	if err := p.read(); err != nil {
		if !p.lacks {
			s.failed[folder.Path] = &failedPackage{err, p.stamps}
		}
		return nil, err
	}
	delete(s.failed, folder.Path)
	s.packages[folder.Path] = p
	interpreted.Store(p.Pkg, struct{}{})
	p.symbols()
	return p, nil
}

// failedPackage is a package that was not right, as it was.
type failedPackage struct {
	err    error
	stamps stamps
}

// read parses and checks the package.
func (p *Package) read() error {
	fail := func(lines ...string) error { return &PackageError{Build: p.BuildPath(), Lines: lines} }
	ctxt := pureContext()
	bp, err := ctxt.ImportDir(p.Folder.Dir, 0)
	p.stamps.read(p.Folder.Dir)
	var list scanner.ErrorList
	var several *build.MultiplePackageError
	var none *build.NoGoError
	switch {
	case errors.As(err, &none) && p.usesC():
		return fail("package " + p.Path + " needs cgo, which cells do not have")
	case !errors.As(err, &several) && (errors.As(err, &list) || bp != nil && len(bp.InvalidGoFiles) > 0): // the parser says it again
	case err != nil:
		return fail("package " + p.Path + ": " + strings.ReplaceAll(err.Error(), p.Folder.Dir, p.shown("")))
	case bp.Name == "main":
		return fail(`import "` + p.Path + `" is a program, not an importable package`)
	case len(bp.EmbedPatterns) > 0:
		return &PackageError{p.BuildPath(), []string{"package " + p.Path + " embeds files"}, true}
	}
	errs := p.parse(append(slices.Clone(bp.GoFiles), bp.InvalidGoFiles...))
	if len(errs) > 0 {
		return fail(errs...)
	}
	return p.check()
}

// shown is the name of a file as messages and places have it: from the working
// directory, or with its module's version.
func (p *Package) shown(name string) string {
	full := filepath.Join(p.Folder.Dir, name)
	if r := p.Folder.Root; r.Version != "" {
		if rel, err := filepath.Rel(r.Dir, full); err == nil {
			return r.Path + "@" + r.Version + "/" + filepath.ToSlash(rel)
		}
	}
	if wd, err := filepath.Abs(p.s.env.Dir()); err == nil {
		if rel, err := filepath.Rel(wd, full); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return full
}

func (p *Package) parse(names []string) (errs []string) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		shown := p.shown(name)
		src, err := os.ReadFile(filepath.Join(p.Folder.Dir, name))
		if err != nil {
			return append(errs, err.Error())
		}
		f, err := parser.ParseFile(p.s.Fset, shown, src, parser.ParseComments|parser.SkipObjectResolution)
		var list scanner.ErrorList
		if errors.As(err, &list) {
			errs = append(errs, syntaxMistakes(shown, string(src), list)...)
			continue
		}
		if err != nil {
			errs = append(errs, err.Error())
			continue
		}
		p.files = append(p.files, sourceFile{f, p.s.addFile(fileInfo{shown, p.BuildPath(), string(src)})})
	}
	return shortened(errs)
}

// syntaxMistakes are those of a file in the compiler's words, or else in those of
// go/parser.
func syntaxMistakes(shown, src string, parsed scanner.ErrorList) (lines []string) {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", src, parser.PackageClauseOnly)
	if f != nil && f.Name != nil && f.Name.End().IsValid() {
		from := fset.Position(f.Name.End()).Offset
		for _, e := range gosyntax.Declarations(src[from:]).Errors {
			before := src[:min(from+e.Off, len(src))]
			line := 1 + strings.Count(before, "\n")
			lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", shown, line, len(before)-strings.LastIndexByte(before, '\n'), e.Msg))
		}
	}
	if len(lines) == 0 {
		for _, e := range parsed {
			lines = append(lines, e.Error())
		}
	}
	return lines
}

// usesC reports whether a file of the package's folder imports "C".
func (p *Package) usesC() bool {
	for _, name := range sources(p.Folder.Dir) {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Folder.Dir, name), nil, parser.ImportsOnly)
		if err == nil && slices.ContainsFunc(f.Imports, func(sp *ast.ImportSpec) bool { return sp.Path.Value == `"C"` }) {
			return true
		}
	}
	return false
}

func shortened(errs []string) []string {
	if len(errs) > mostMistakes {
		return append(errs[:mostMistakes:mostMistakes], fmt.Sprintf("and %d more", len(errs)-mostMistakes))
	}
	return errs
}

// check has go/types look at the package, and keeps what it finds.
func (p *Package) check() error {
	var errs []mistakeAt
	p.Info = NewInfo()
	im := &sourceImporter{s: p.s, p: p}
	conf := &types.Config{
		GoVersion: "go1.26", Importer: im, Context: p.s.ctxt,
		Error: func(err error) {
			te, ok := err.(types.Error)
			if ok && strings.HasPrefix(te.Msg, "\t") {
				return // goes on with the one before
			}
			if m := importErrRE.FindStringSubmatch(te.Msg); m != nil {
				err = errors.New(p.s.Fset.Position(te.Pos).String() + ": " + m[1])
			}
			errs = append(errs, mistakeAt{te.Pos, err.Error()})
		},
	}
	var files []*ast.File
	for _, f := range p.files {
		files = append(files, f.ast)
	}
	pkg := types.NewPackage(p.Path, files[0].Name.Name)
	ch := types.NewChecker(conf, p.s.Fset, pkg, p.Info)
	_ = ch.Files(files)
	p.Pkg = pkg
	if len(im.deps) > 0 {
		return im.deps[0]
	}
	if len(errs) > 0 {
		return &PackageError{Build: p.BuildPath(), Lines: linesOf(errs)}
	}
	return nil
}

// linesOf lists mistakes in the order of their places.
func linesOf(errs []mistakeAt) []string {
	slices.SortStableFunc(errs, func(a, b mistakeAt) int { return cmp.Compare(a.pos, b.pos) })
	lines := make([]string, len(errs))
	for i, e := range errs {
		lines[i] = e.text
		if arrayOperatorRE.MatchString(e.text) {
			lines[i] += "; operators of Arrays are for cells: a package calls methods, as in x.Add(y)"
		}
	}
	return shortened(lines)
}

var arrayOperatorRE = regexp.MustCompile(`operator \S+ not defined on .*\.Array\)`)

// mistakeAt is a mistake in a package.
type mistakeAt struct {
	pos  token.Pos
	text string
}

// importErrRE finds what an importer has said.
var importErrRE = regexp.MustCompile(`(?s)^could not import \S+ \((.*)\)$`)
