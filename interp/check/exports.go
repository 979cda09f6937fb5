package check

import (
	"go/types"
	"slices"
	"strings"
)

// Fold takes from a name how Python and Go write words: zeros_like and ZerosLike
// are one.
func Fold(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// Exported is the name that a package exports for one that Python writes as name,
// "" without.
func Exported(pkg *types.Package, name string) string {
	names := exportedNames(pkg)
	if i := slices.IndexFunc(names, func(n string) bool { return Fold(n) == Fold(name) }); i >= 0 {
		return names[i]
	}
	return ""
}

// exportedNames lists what a package exports.
func exportedNames(pkg *types.Package) (list []string) {
	if pkg == nil {
		return nil
	}
	for _, n := range pkg.Scope().Names() {
		if pkg.Scope().Lookup(n).Exported() {
			list = append(list, n)
		}
	}
	return list
}

// packageOrder are the packages with JAX's names, in the order in which a name is
// looked for.
var packageOrder = []string{"jax", "jnp", "lax", "nn", "random", "tree", "xla", "metadata", "kw"}

// ours is a package of ours that needs no import, nil without one.
func (k *checker) ours(name string) *types.Package {
	if !slices.Contains(packageOrder, name) {
		return nil
	}
	return k.preimported(name)
}

// preimported is a package that needs no import, nil without one.
func (k *checker) preimported(name string) *types.Package {
	path := k.s.env.Preimported[name]
	if path == "" {
		return nil
	}
	pkg, err := k.s.importer.Import(path)
	if err != nil {
		return nil
	}
	return pkg
}

// jnpName is the exported name of package jnp that Python writes as name.
func (k *checker) jnpName(name string) string { return Exported(k.ours("jnp"), name) }

// exporter is the package of ours, or else one of the others that need no import,
// that exports a name, just so written.
func (k *checker) exporter(name string, others ...string) string {
	for _, p := range slices.Concat(packageOrder, others) {
		if slices.Contains(exportedNames(k.preimported(p)), name) {
			return p
		}
	}
	return ""
}

// wordsOfUsers are names of ours that are more often a function of the user's, in a
// cell that has failed or has not been run.
var wordsOfUsers = []string{"update", "step", "catch", "compile", "call", "set", "tag", "with", "parse"}

// functionsNamed are the functions of ours that a name without a package may mean:
// of lax only what jnp and the others do not have.
func (k *checker) functionsNamed(name string) (list []string) {
	if slices.Contains(wordsOfUsers, Fold(name)) {
		return nil
	}
	for _, p := range []string{"jax", "jnp", "nn", "random", "tree", "lax", "kw", "metadata", "xla"} {
		pkg := k.ours(p)
		n := Exported(pkg, name)
		if n == "" || len(list) > 0 && (p == "lax" || p == "kw" || p == "metadata" || p == "xla") {
			continue
		}
		if _, ok := pkg.Scope().Lookup(n).(*types.TypeName); !ok {
			list = append(list, p+"."+n)
		}
	}
	return list
}
