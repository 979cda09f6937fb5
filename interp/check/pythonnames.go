package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// pythonNames are names that programs with JAX have in Python, with what does
// the same here.
var pythonNames = map[string]string{
	"jax.config": `jax.config.update("jax_enable_x64", True) is jax.Update("jax_enable_x64", true)`,
	"jax.Config": `jax.config.update("jax_enable_x64", True) is jax.Update("jax_enable_x64", true)`,
	"jacobian":   "jacrev(f), or jacfwd(f) for few arguments and many results", "jax.Jacobian": "jax.Jacrev(f), or jax.Jacfwd(f) for few arguments and many results",
	"pmap": "there is one device here; jit(f) and vmap(f) run on it", "jax.Pmap": "there is one device here; jit(f) and vmap(f) run on it",
	"constraints": "cmp.Ordered, or an interface such as interface{ ~int | ~float64 }",
	"None":        "None is nil", "True": "True is true", "False": "False is false",
	"abs": "math.Abs of a float64, jnp.Abs of an Array", "pow": "math.Pow of a float64, jnp.Power of an Array", "round": "math.Round of a float64, jnp.Round of an Array",
	"sum": "jnp.Sum of an Array; of a slice, a loop", "str": "fmt.Sprint(x)", "repr": `fmt.Sprintf("%#v", x)`, "list": "slices are []T{…}, Arrays jnp.Array(…)",
	"float": "the type is float64: float64(x)", "bool": "x != 0, of an Array x.Bool()", "dict": "maps are map[string]T{…}", "tuple": "several values: a struct, or []any{…}", "enumerate": "for i, x := range xs", "isinstance": "_, ok := x.(T)",
	"zip": "for i := range xs { x, y := xs[i], ys[i] }", "filter": "a loop with if, of an Array x[x > 0]", "reversed": "slices.Reverse(xs), of an Array jnp.Flip(x)",
	"all": "of an Array jnp.All(x); of a slice, a loop", "ord": "int('a'), a rune is a number", "chr": "string(rune(n))", "hex": `fmt.Sprintf("%x", n)`,
	"type": "fmt.Sprintf(\"%T\", x)", "input": "fmt.Scanln(&x)", "open": "os.Open(name)", "pass": "an empty block is {}", "self": "the receiver has a name: func (t T) M()",
	"hasattr": "go/types knows all fields before the cell runs", "callable": "_, ok := x.(func(Array) Array)", "printf": "fmt.Printf(format, x)", "this": "the receiver has a name: func (t T) M()",
	"partial": "a func literal: func(x Array) Array { return f(3, x) }", "functools": "functools.partial is a func literal: func(x Array) Array { return f(3, x) }", "sorted": "slices.Sort(xs) sorts a slice in its place, jnp.Sort(x) gives a sorted Array",
	"help": "x? tells what x is and how it is documented, jnp.Sin? too; %help lists the magics", "dir": "x? tells what x has; after x. the Tab key lists it", "vars": "%who lists the names of the session", "globals": "%who lists the names of the session", "locals": "%who lists the names of the session",
	"exit": "the Kernel menu restarts and shuts down; %reset forgets all names", "quit": "the Kernel menu restarts and shuts down; %reset forgets all names", "sys": "arguments are os.Args, the Kernel menu ends the kernel; os.Exit(1) ends the cell",
	"ls": "commands of the shell begin with !, as in !ls -l", "cd": "%cd DIR changes the folder", "pwd": "%pwd shows the folder", "pip": "commands of the shell begin with !; Go packages come in by gopherlo build --with PATH",
	"Exception": "panic(fmt.Errorf(…)), or return an error", "ValueError": "panic(fmt.Errorf(…)), or return an error", "TypeError": "panic(fmt.Errorf(…)), or return an error", "RuntimeError": "panic(fmt.Errorf(…)), or return an error",
	"syscall": "it is not in this kernel; processes are in os and os/exec, signals in os/signal: p, _ := os.FindProcess(pid); p.Signal(os.Kill)", "unsafe": `it is imported by name only: import "unsafe"`,
	"jax.checkpoint_policies": "the policies are in jax.CheckpointPolicies", "jax.EverythingSaveable": "it is jax.CheckpointPolicies.EverythingSaveable",
	"jax.NothingSaveable": "it is jax.CheckpointPolicies.NothingSaveable", "jax.DotsSaveable": "it is jax.CheckpointPolicies.DotsSaveable",
	"jax.tree_map": "write tree.Map(f, t)", "tree_map": "write tree.Map(f, t)", "jax.tree_leaves": "write tree.Leaves(t)", "jax.scipy": "jax.scipy is not here; some of it is in nn and jnp", "jnp.fft": "there is no fft here yet",
	"jax.debug": "fmt.Println(x) prints what is traced as a tracer; f.Lower(x) shows the program", "jax.experimental": "its xla_metadata functions are there already: xla_metadata_call, set_xla_metadata, xla_metadata",
	"jax.sharding": "there is one device here", "jax.distributed": "there is one device here", "jax.print": "fmt.Println(x)",
	"plt": "there is no Matplotlib; display.SVG(text) and display.PNG(image) show pictures", "matplotlib": "there is no Matplotlib; display.SVG(text) and display.PNG(image) show pictures",
	"torch": "there is no PyTorch; jnp.Array(xs) makes an Array, grad(f) a gradient", "tf": "there is no TensorFlow; jnp.Array(xs) makes an Array, grad(f) a gradient", "optax": "there is no Optax; an optimiser is a function: w -= rate * g", "flax": "there is no Flax; parameters are a struct of Arrays", "pd": "there is no pandas; encoding/csv reads tables", "scipy": "there is no SciPy; jnp and nn have some of it",
	"time.time": "time.Now(); time.Since(start) is what has passed since", "time.perf_counter": "time.Now(); time.Since(start) is what has passed since", "os.path": "it is path/filepath: filepath.Join(a, b)", "os.listdir": "os.ReadDir(name)", "os.environ": `os.Getenv(name); %env NAME=VALUE sets one`, "math.inf": "math.Inf(1)", "math.nan": "math.NaN()",
	"random.seed": noState, "random.random": noState, "random.rand": noState, "random.randn": noState, "random.shuffle": "write random.Permutation(key, x)", "random.sample": "write random.Choice(key, x, kw.Shape(n), kw.Replace(false))", "random.default_rng": noState, "random.gauss": noState,
	"console": "fmt.Println(x)", "System": "fmt.Println(x)", "std": "fmt.Println(x)", "puts": "fmt.Println(x)",
	"nn.Dense": noLayers, "nn.Linear": noLayers, "nn.Conv": noLayers, "nn.Module": noLayers, "nn.Sequential": noLayers,
	"jax.__version__": "!gopherlo version; texts and errors are those of JAX 0.12.0.1",
	"jnp.newaxis":     "write jnp.NewAxis", "jnp.concat": "write jnp.Concatenate([]Array{x, y})", "jnp.ndarray": "the type is Array", "jnp.Ndarray": "the type is Array",
}

const noLayers = "there are no layers here: parameters are a struct of Arrays, a layer is a function such as nn.Relu(x.MatMul(p.W) + p.B)"

const noState = "random numbers come of keys: key := random.Key(0), then random.Uniform(key, kw.Shape(2, 3)); new keys of random.Split(key)"

// pythonPackages are packages of Python, with the one of ours that has what is in
// them.
var pythonPackages = map[string]string{
	"np": "jnp", "numpy": "jnp", "onp": "jnp", "jax.numpy": "jnp", "jax.lax": "lax", "jax.nn": "nn", "jax.random": "random",
	"jnp.random": "random", "np.random": "random", "numpy.random": "random", "jax.tree": "tree", "jax.tree_util": "tree", "jtu": "tree", "jr": "random", "jrandom": "random",
}

// packageHint says what a name from a package of Python is here, at pos.
func (k *checker) packageHint(full string, pos token.Pos) string {
	pkg := pythonPackages[full]
	if pkg == "" && strings.Contains(full, ".") { // written as Go would have it
		full = strings.ToLower(full)
		pkg = pythonPackages[full]
	}
	if pkg == "" {
		return ""
	}
	names := k.selectedFrom(pos)
	if len(names) > 1 && pythonPackages[full+"."+names[0]] != "" {
		full += "." + names[0]
		pkg, names = pythonPackages[full], names[1:]
	}
	if len(names) == 0 {
		return full + " is the package " + pkg
	}
	python := pkg + "." + names[0]
	if hint := pythonNames[python]; hint != "" {
		return hint
	}
	if pkg == "tree" {
		names[0] = strings.TrimPrefix(names[0], "tree_")
	}
	if n := Exported(k.ours(pkg), names[0]); n != "" {
		write := pkg + "." + n
		if len(names) > 1 && n == "Linalg" {
			if m := methodNamed(k.ours(pkg).Scope().Lookup(n).Type(), names[1]); m != "" {
				write += "." + m
			}
		}
		return full + " is the package " + pkg + ": " + write
	}
	return full + " is the package " + pkg + ", which has no " + names[0]
}

// selectedFrom are the names that follow the one at pos, each behind a dot.
func (k *checker) selectedFrom(pos token.Pos) (found []string) {
	k.inspect(func(n ast.Node) bool {
		var names []string
		for {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				break
			}
			if sel.Sel.Pos() == pos {
				n = nil
				break
			}
			names = append(names, sel.Sel.Name)
			n = sel.X
		}
		id, ok := n.(*ast.Ident)
		if len(names) > len(found) && (n == nil || ok && id.Pos() == pos) {
			slices.Reverse(names)
			found = names
		}
		return true
	})
	return found
}

// arrayNames are what arrays of other libraries have, with what Arrays have.
var arrayNames = map[string]string{
	"tolist": "x.ToSlice() gives Go numbers; var xs []float64, then x.Into(&xs), a typed slice", "numpy": "x.ToSlice() gives Go numbers; var xs []float64, then x.Into(&xs), a typed slice",
	"copy": "Arrays are immutable, so that y := x is as good as a copy", "clone": "Arrays are immutable, so that y := x is as good as a copy",
	"grad": "gradients are of functions: grad(f)(x)", "backward": "gradients are of functions: grad(f)(x)", "detach": "write jax.StopGradient(x)", "requires_grad": "gradients are of functions: grad(f, argnums(0))(x)",
	"to": "there is one device here; x.AsType(jnp.Float32) changes the type", "cuda": "there is one device here", "cpu": "there is one device here", "device": "there is one device here: jax.Devices()", "devices": "there is one device here: jax.Devices()", "sharding": "there is one device here",
	"numel": "write x.Size()", "dim": "write x.NDim()", "view": "write x.Reshape(2, 3)", "unsqueeze": "write jnp.ExpandDims(x, 0)", "permute": "write x.Transpose(1, 0)", "matmul": "write x.MatMul(y)", "mm": "write x.MatMul(y)", "float": "write x.AsType(jnp.Float32)", "long": "write x.AsType(jnp.Int32)",
	"append": "write jnp.Append(x, y); a slice of Arrays grows by xs = append(xs, x)", "len": "write len(x)", "length": "write len(x)", "fill": "write jnp.FullLike(x, 1.)", "sort": "write jnp.Sort(x)", "nbytes": "write len(x.Bytes())", "set": "write x.At(i).Set(v)", "add": "write x + y", "aval": "write x.Aval()",
	"print": "fmt.Println(x)", "norm": "write jnp.Linalg.Norm(x)", "exp": "write jnp.Exp(x)",
}

// textNames and mapNames are the methods of Python's texts and dicts, listNames
// those of lists; x is the value.
var (
	textNames = map[string]string{
		"split": `strings.Split(x, sep), strings.Fields(x)`, "join": `strings.Join(list, x)`, "upper": "strings.ToUpper(x)", "lower": "strings.ToLower(x)", "strip": "strings.TrimSpace(x)",
		"replace": "strings.ReplaceAll(x, old, new)", "startswith": "strings.HasPrefix(x, prefix)", "endswith": "strings.HasSuffix(x, suffix)", "find": "strings.Index(x, part)", "count": "strings.Count(x, part)",
		"format": "fmt.Sprintf(format, values)", "encode": "[]byte(x)", "splitlines": `strings.Split(x, "\n")`, "title": "strings.Title(x)", "zfill": `fmt.Sprintf("%05s", x)`,
	}
	mapNames = map[string]string{
		"items": "for k, v := range x", "keys": "for k := range x, slices.Sorted(maps.Keys(x))", "values": "for _, v := range x", "get": "v, ok := x[k]", "pop": "delete(x, k)", "update": "maps.Copy(x, other)", "copy": "maps.Clone(x)", "setdefault": "if _, ok := x[k]; !ok { x[k] = v }", "clear": "clear(x)",
	}
	listNames = map[string]string{
		"append": "x = append(x, v)", "extend": "x = append(x, more...)", "insert": "x = slices.Insert(x, i, v)", "pop": "x = x[:len(x)-1]", "sort": "slices.Sort(x)", "reverse": "slices.Reverse(x)", "index": "slices.Index(x, v)", "copy": "slices.Clone(x)", "remove": "x = slices.Delete(x, i, i+1)", "clear": "x = x[:0]", "count": "a loop counts", "len": "len(x)",
	}
)

// memberOf says what does here what a method of Python's does, for x of type t.
func memberOf(t types.Type, x, name string) string {
	var list map[string]string
	switch u := underlying(t).(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			list = textNames
		}
	case *types.Map:
		list = mapNames
		if b, ok := u.Key().Underlying().(*types.Basic); ok && b.Kind() == types.String && list[name] == "" && token.IsIdentifier(x) {
			return "what a map holds is written " + x + `["` + name + `"]`
		}
	case *types.Slice:
		list = listNames
	}
	if isArray(t) {
		list = arrayNames
	}
	hint := list[name]
	if hint == "" || !token.IsIdentifier(x) {
		return hint
	}
	return wordXRE.ReplaceAllLiteralString(hint, x)
}
