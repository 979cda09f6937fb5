package hlocost

import "gopherlo/xla/hlo"

// convolution counts the positions of the kernel that meet a real element of
// the input: padding and the holes of dilation cost nothing.
func convolution(_ *analysis, i *hlo.Instruction, p Properties) Properties {
	d := i.ConvDimensions
	if d == nil || len(i.Operands) < 2 {
		return p
	}
	in, kernel, out := shapeOf(i, 0).Dimensions, shapeOf(i, 1).Dimensions, i.Shape.Dimensions
	positions := 1.0
	for n, w := range i.Window {
		if n >= len(d.InputSpatial) || n >= len(d.OutputSpatial) {
			break
		}
		positions *= validPositions(w, dim(in, d.InputSpatial[n]), dim(out, d.OutputSpatial[n]))
	}
	features := dim(kernel, d.KernelInputFeature)
	fmas := float64(features) * float64(dim(out, d.OutputFeature)) * positions *
		float64(dim(in, d.InputBatch)) / float64(max(1, i.BatchGroupCount))
	p[Flops] = fma * fmas
	return p
}

func dim(dims []int64, n int64) int64 {
	if n < 0 || int(n) >= len(dims) {
		return 1
	}
	return dims[n]
}

// validPositions counts pairs of output and kernel index that read the input,
// in one dimension.
func validPositions(w hlo.WindowDimension, in, out int64) float64 {
	base, dilation, stride := max(1, w.BaseDilation), max(1, w.WindowDilation), max(1, w.Stride)
	n := 0.0
	for k := range w.Size {
		// Output o reads position o*stride - low + k*dilation of the dilated
		// input, which is real when it is a multiple of base in range.
		first := k*dilation - w.PaddingLow
		n += float64(countReal(first, stride, out, base, in))
	}
	return n
}

// countReal counts o in [0, outs) with first+o*stride = base*j for a j in
// [0, ins).
func countReal(first, stride, outs, base, ins int64) (n int64) {
	if ins <= 0 || outs <= 0 {
		return 0
	}
	last := base * (ins - 1)
	// The range of o whose position is in [0, last].
	lo := max(0, ceilDiv(-first, stride))
	hi := min(outs-1, floorDiv(last-first, stride))
	if hi < lo {
		return 0
	}
	if base == 1 {
		return hi - lo + 1
	}
	// Positions repeat modulo base with a period of at most base.
	for o := lo; o <= min(hi, lo+base-1); o++ {
		if (first+o*stride)%base == 0 {
			period := base / gcd(base, stride)
			return (hi-o)/period + 1
		}
	}
	return 0
}

func ceilDiv(a, b int64) int64 { return -floorDiv(-a, b) }

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
