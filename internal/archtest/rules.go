package archtest

// layers says which of our packages each package may import; the first pattern
// that covers a package decides. A package without a row may import nothing of
// ours and a test asks for a row. Packages below internal/ that only tests use
// are added for test files by testLayers.
var layers = []struct{ pkg, may string }{
	// The kernel knows no Go, no XLA and no language but the seam.
	{"kernel/language", ""},
	{"kernel/wire", ""},
	{"kernel/transport", "kernel/wire internal/atonce"},
	{"kernel/comm", "kernel/wire kernel/language"},
	{"kernel/worker", "kernel/language kernel/wire internal/atonce internal/cellid internal/processors internal/bug"},
	{"kernel/...", "kernel/... internal/atonce internal/bug"},

	// The language knows no sockets: of the kernel only the seam.
	{"interp/cell", "interp/gosyntax internal/bug"},
	{"interp/check", "interp/cell interp/gosyntax interp/modules internal/bug"},
	{"interp/modules", ""},
	{"interp/lower", "interp/cell interp/check internal/bug"},
	{"interp/symbols/...", "interp/symbols/... display jaxlike jaxlike/... metadata xla xla/hlo xla/stablehlo xla/flags kernel/language"},
	{"interp/...", "interp/... cells kernel/language display jaxlike jaxlike/... metadata xla xla/hlo xla/stablehlo xla/flags xla/plugin internal/atonce internal/cellid internal/descendants internal/processors internal/bug"},
	{"display", "kernel/language"},
	{"cells", "display jaxlike jaxlike/... xla xla/flags"},

	// The compiler's side: HLO and StableHLO, no runtime.
	{"xla/hlo/hlopb", ""},
	{"xla/hlo", "xla/hlo/hlopb internal/bug"},
	{"xla/stablehlo", "xla/hlo internal/bug"},
	{"xla/hloconv", "xla/hlo xla/stablehlo internal/bug"},
	{"xla/flags", "xla/hlo"},
	{"xla", "xla/hlo xla/flags internal/bug"},
	{"xla/diskcache", "internal/bug"},
	{"xla/plugin", "xla xla/hlo xla/flags internal/bug"},
	{"xla/hlocost", "xla/hlo"},
	{"xla/hlotool", "xla xla/hlo xla/flags xla/stablehlo xla/hloconv internal/bug"},
	{"xla/pjrt/...", "xla xla/hlo xla/flags xla/plugin xla/diskcache xla/pjrt/... internal/bug"},

	// Tracing and transformations: no runtime but the xla seam, no yaegi.
	{"jaxlike/dtype", "xla/hlo internal/bug"},
	{"jaxlike/tree", "internal/bug"},
	{"jaxlike/arraytext", "jaxlike/dtype internal/bug"},
	{"jaxlike/kw", "jaxlike/dtype"},
	{"jaxlike/core", "jaxlike/dtype jaxlike/tree xla xla/hlo xla/stablehlo internal/bug"},
	{"jaxlike/partialeval", "jaxlike/core jaxlike/dtype internal/bug"},
	{"jaxlike/batching", "jaxlike/core jaxlike/partialeval jaxlike/dtype internal/bug"},
	{"jaxlike/ad", "jaxlike/core jaxlike/partialeval jaxlike/dtype internal/bug"},
	{"jaxlike/array", "jaxlike/core jaxlike/ad jaxlike/dtype jaxlike/tree jaxlike/arraytext xla xla/hlo internal/bug"},
	{"jaxlike/lowering", "jaxlike/core jaxlike/partialeval jaxlike/dtype jaxlike/tree xla/hlo xla/stablehlo xla/hloconv internal/bug"},
	{"jaxlike/stages", "jaxlike/core jaxlike/partialeval jaxlike/array jaxlike/dtype jaxlike/tree jaxlike/lowering xla xla/hlo xla/hlocost xla/stablehlo xla/hloconv xla/flags xla/diskcache internal/bug"},
	{"jaxlike/lax", "jaxlike/core jaxlike/ad jaxlike/array jaxlike/batching jaxlike/partialeval jaxlike/lowering jaxlike/stages jaxlike/dtype jaxlike/tree jaxlike/kw xla/hlo xla/stablehlo internal/bug"},
	{"jaxlike/xla", "jaxlike/core jaxlike/stages xla xla/hlo xla/hlotool xla/stablehlo xla/flags"},
	{"jaxlike/...", "jaxlike/... xla xla/hlo xla/hlocost xla/stablehlo xla/hloconv xla/flags internal/bug"},
	{"metadata", "jaxlike jaxlike/... xla/hlo xla/stablehlo internal/bug"},

	{"install/source", ""},
	{"install", "xla xla/hlo xla/flags xla/plugin xla/pjrt/... internal/bug"},
	{"cmd/...", "cmd/... cells kernel/... interp/... display jaxlike jaxlike/... metadata xla/... install install/... internal/..."},
	{"internal/cellid", ""},
	{"internal/bug", ""},
	{"internal/resident", ""},
	{"internal/processors", ""},
	{"internal/atonce", ""},
	{"internal/descendants", ""},
	{"internal/archtest", ""},
	{"internal/jaxnames", ""},
	{"internal/goldencases", ""},
	{"internal/golden", "xla/hlo"},
	{"internal/fakefrontend", "kernel/wire kernel/transport internal/atonce internal/bug"},
	{"internal/cellscript", "kernel/language interp/cell"},
}

// testLayers is what test files may import beside their package's own row:
// test helpers, and a real backend where programs are run. A row for a part
// of the tree replaces the general one.
var testLayers = []struct{ pkg, may string }{
	{"kernel/...", "internal/... kernel/..."},
	{"interp/...", "internal/... interp/... xla/pjrt/... install"},
	{"jaxlike/...", "internal/... jaxlike/... metadata xla/..."},
	{"metadata", "internal/... xla/..."},
	{"xla/...", "internal/... xla/..."},
	{"install", "internal/... xla/..."},
	{"cmd/...", "internal/..."},
	{"display", "internal/..."},
	{"internal/goldencases", "internal/... jaxlike jaxlike/... metadata xla xla/..."},
	{"internal/...", "internal/..."},
}

// outside says where an outside import may be used. The longest prefix of the
// import decides; imports without a row are the standard library's, which are
// free, or fail.
var outside = []struct{ imported, may string }{
	{"github.com/traefik/yaegi", "interp/..."},
	{"github.com/go-zeromq/zmq4", "kernel/transport internal/fakefrontend"},
	{"golang.org/x/crypto", "kernel/transport internal/fakefrontend"},
	{"github.com/gomlx/gopjrt", "xla/pjrt/..."},
	{"C", "xla/pjrt/..."},
	{"google.golang.org/protobuf", "xla/..."},
	{"github.com/petermattis/goid", "jaxlike/core interp/..."},
	{"github.com/google/uuid", "kernel/... internal/fakefrontend"},
	{"golang.org/x/mod", "interp/modules"},
	{"golang.org/x/tools", "interp/... internal/..."},
	// go-cmp is for tests, see testOnly.
	{"github.com/google/go-cmp", ""},
}

// unsafeUse is which packages may import unsafe: those that speak C, that read
// closures and layouts of values, or that embed text without a copy.
const unsafeUse = "xla/pjrt xla/hlo/hlopb interp interp/facade interp/rt interp/symbols/... jaxlike/core jaxlike/stages jaxlike/tree kernel/worker internal/cellid internal/atonce"

// gopjrtUnsafe is the one file that reaches into gopjrt's private fields.
const gopjrtUnsafe = "xla/pjrt/gopjrt_unsafe.go"

// testOnly may be imported by test files anywhere.
const testOnly = "github.com/google/go-cmp golang.org/x/tools"

// maxFile and maxFunc bound the length of hand-written code in lines; tests
// and tables are free (a table file says //archtest:table near its top).
const (
	maxFile = 800
	maxFunc = 80
)

// modules are the direct dependencies. Another one needs a reason in
// docs/rationale.md and a line here.
var modules = []string{
	"github.com/go-zeromq/zmq4",
	"github.com/gomlx/gopjrt",
	"github.com/google/go-cmp",
	"github.com/google/uuid",
	"github.com/petermattis/goid",
	"github.com/traefik/yaegi",
	"golang.org/x/crypto",
	"golang.org/x/mod",
	"golang.org/x/tools",
	"google.golang.org/protobuf",
}
