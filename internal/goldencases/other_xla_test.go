package goldencases

// otherXLA lists the optimised programs that the XLA of the default plugin (June
// 2026) writes in another way than that of JAX 0.12.0.1, with the operations that
// carry tags there. Without a list they are JAX's.
var otherXLA = map[string][]string{
	"001-bool-option/optimized.hlo.txt":         nil,
	"092-meta-top-level/optimized.hlo.txt":      {`dot f32[2]{0} {whole="yes"}`},
	"094-meta-two-blocks/optimized.hlo.txt":     {`add f32[] {part="b"}`, `fusion f32[] {part="b"}`},
	"125-grad-linear/grad.optimized.hlo.txt":    {`constant f32[] {k="v"}`},
	"126-grad-two-args/first.optimized.hlo.txt": {`parameter f32[] {k="v"}`},
}
