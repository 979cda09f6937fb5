package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"sort"
	"strings"
)

var undefinedRE = regexp.MustCompile(`^undefined: (?:(\w+)\.)?([\pL_][\pL\pN_]*)`)

// hint helps with a mistake: it looks for a known name close to an undefined one,
// or says what does here what is meant.
func (k *checker) hint(e types.Error) string {
	msg := k.restore(e.Msg, e.Pos)
	m := undefinedRE.FindStringSubmatch(markRE.ReplaceAllString(msg, ""))
	if m != nil {
		if hint := k.lengthHint(msg, e); hint != "" {
			return hint
		}
		if m[1] == "" && k.isKey(e.Pos) {
			return `keys are texts: "` + m[2] + `"`
		}
		return k.nameHint(m[1], m[2], e.Pos)
	}
	if setElementRE.MatchString(k.clean(e.Msg)) {
		return k.elementHint(e.Pos)
	}
	msg = k.clean(msg)
	for _, hint := range []func(msg string, e types.Error) string{k.uncalledHint, k.starHint, k.labelHint, k.fieldHint, k.treeHint, k.resultHint, k.transformHint, k.assignedHint, k.fractionHint, k.fromEndHint, k.spreadHint, k.lengthHint, k.lastHint, k.keyHint, k.mixedHint, k.shapeHint, k.optionHint, k.axisHint, k.structHint, k.funcHint} {
		if h := hint(msg, e); h != "" {
			return h
		}
	}
	if h := k.argumentHint(msg); h != "" {
		return h
	}
	if h := k.memberHint(msg); h != "" {
		return h
	}
	if h := k.methodHint(msg, e); h != "" {
		return h
	}
	return k.signatureHint(msg, e)
}

// nameHint says what an undefined name at pos, of a package or without one, may
// mean.
func (k *checker) nameHint(pkg, name string, pos token.Pos) string {
	full := strings.TrimPrefix(pkg+"."+name, ".")
	if pkg == "" && k.isAssigned(pos) {
		return name + " := … declares it"
	}
	if pkg == "" && k.isParameter(pos) {
		return "types stand behind the names: func f(" + name + " Array) Array { … }"
	}
	if hint := pythonNames[full]; hint != "" {
		return hint
	}
	if hint := k.packageHint(full, pos); hint != "" {
		return hint
	}
	for python, hint := range pythonNames {
		if pkg != "" && Fold(python) == Fold(full) {
			return hint
		}
	}
	var names []string
	prefix := ""
	if pkg != "" {
		prefix = pkg + "."
		names = k.packageNames(pkg)
	} else {
		if p := k.exporter(name, "fmt", "math"); p != "" {
			return "it is " + p + "." + name + " here"
		}
		names = k.knownNames()
	}
	if i := slices.IndexFunc(names, func(n string) bool { return n != name && Fold(n) == Fold(name) }); i >= 0 {
		return "did you mean " + prefix + names[i] + "?"
	}
	if slices.Contains(packageOrder, pkg) || pkg == "" && k.calls(pos) {
		if list := k.functionsNamed(name); len(list) > 0 {
			return "it is " + strings.Join(list, " or ") + " here"
		}
	}
	if best := Closest(name, names); best != "" {
		return "did you mean " + prefix + best + "?"
	}
	return ""
}

// isKey reports a key of a literal of a map with texts as keys.
func (k *checker) isKey(pos token.Pos) (found bool) {
	k.inspect(func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return !found
		}
		m, ok := underlying(k.info.TypeOf(lit)).(*types.Map)
		if !ok || !types.Identical(m.Key().Underlying(), types.Typ[types.String]) {
			return true
		}
		for _, e := range lit.Elts {
			kv, ok := e.(*ast.KeyValueExpr)
			if ok {
				_, named := kv.Key.(*ast.Ident)
				found = found || named && kv.Key.Pos() == pos
			}
		}
		return true
	})
	return found
}

// isAssigned reports a name on the left of an assignment that does not declare it.
func (k *checker) isAssigned(pos token.Pos) (found bool) {
	k.inspect(func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && s.Tok == token.ASSIGN {
			found = found || slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool {
				id, named := e.(*ast.Ident)
				return named && id.Pos() == pos
			})
		}
		return !found
	})
	return found
}

// isParameter reports a parameter that has no type.
func (k *checker) isParameter(pos token.Pos) (found bool) {
	k.inspect(func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncType); ok && f.Params != nil {
			for _, p := range f.Params.List {
				found = found || len(p.Names) == 0 && p.Type.Pos() == pos
			}
		}
		return !found
	})
	return found
}

// calls reports a call of the name at pos.
func (k *checker) calls(pos token.Pos) (found bool) {
	k.inspect(func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			id, named := c.Fun.(*ast.Ident)
			found = found || named && id.Pos() == pos
		}
		return !found
	})
	return found
}

// knownNames are the names that a cell may use without a package.
func (k *checker) knownNames() (names []string) {
	for _, sym := range k.s.Names() {
		names = append(names, sym.Name)
	}
	for n := range k.declared {
		names = append(names, n)
	}
	for n := range k.s.env.Predeclared {
		if !strings.Contains(n, "‹") {
			names = append(names, n)
		}
	}
	for n := range k.s.env.Preimported {
		names = append(names, n)
	}
	for _, p := range k.s.env.Packages {
		names = append(names, k.s.packageName(p))
	}
	names = append(names, types.Universe.Names()...)
	sort.Strings(names)
	return names
}

// packageNames lists the exported names of an imported package.
func (k *checker) packageNames(name string) []string {
	for id, obj := range k.info.Uses {
		if pn, ok := obj.(*types.PkgName); ok && id.Name == name {
			return exportedNames(pn.Imported())
		}
	}
	return nil
}

// Closest finds the known name that a mistyped one may mean, "" if none is
// close: at the smallest edit distance, at most one edit in five letters. Of a
// shorter name, of three letters at least, one may be missing, too much or
// swapped.
func Closest(name string, names []string) string {
	sort.Strings(names)
	letters := len([]rune(name))
	if letters < 3 {
		return ""
	}
	best, at := "", max(letters/5, 1)+1
	for _, n := range names {
		if n == name {
			continue
		}
		a, b := strings.ToLower(name), strings.ToLower(n)
		d := distance(a, b)
		if letters < 5 && d == 1 && replaced(a, b) || d == letters {
			continue
		}
		if d < at {
			best, at = n, d
		}
	}
	return best
}

// replaced reports words of one length that do not have the same letters.
func replaced(a, b string) bool {
	x, y := []rune(a), []rune(b)
	if len(x) != len(y) {
		return false
	}
	slices.Sort(x)
	slices.Sort(y)
	return !slices.Equal(x, y)
}

// distance counts insertions, deletions, replacements and swaps of
// neighbouring letters.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row, last, before := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[len(x)%3][len(y)]
}
