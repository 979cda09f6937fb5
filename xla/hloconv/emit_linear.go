package hloconv

import (
	"fmt"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

var precisions = map[string]hlo.Precision{
	"DEFAULT": hlo.PrecisionDefault, "HIGH": hlo.PrecisionHigh, "HIGHEST": hlo.PrecisionHighest,
}

// precisionConfig reads the precision of a dot or convolution; without the
// attribute both operands are DEFAULT.
func precisionConfig(o *op) *hlo.PrecisionConfig {
	p := &hlo.PrecisionConfig{Operands: []hlo.Precision{hlo.PrecisionDefault, hlo.PrecisionDefault}}
	if a, ok := o.attrs.Get("precision_config").(stablehlo.Array); ok {
		for i, e := range a {
			if e, ok := e.(stablehlo.Enum); ok && i < 2 {
				p.Operands[i] = precisions[e.Value]
			}
		}
	}
	return p
}

func emitDot(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	d := o.attrs.Get("dot_dimension_numbers").(*stablehlo.DotDims)
	in.DotDimensions = &hlo.DotDimensions{
		LHSContracting: d.LHSContracting, RHSContracting: d.RHSContracting,
		LHSBatch: d.LHSBatch, RHSBatch: d.RHSBatch,
	}
	in.Precision = precisionConfig(o)
	if a, ok := o.attrs.Get("algorithm").(*stablehlo.DotAlgorithm); ok {
		if in.Precision.Algorithm, ok = hlo.DotAlgorithmByName(algorithmName(a)); !ok {
			return fmt.Errorf("algorithm %s is not known", algorithmName(a))
		}
	}
	c.results(o, in)
	return nil
}

// algorithmName is XLA's name of a dot algorithm, dot_bf16_bf16_f32_x3 or so
// (ConvertDotAlgorithm in attribute_exporter.cc).
func algorithmName(a *stablehlo.DotAlgorithm) string {
	elem := func(e hlo.PrimitiveType) string {
		if e == hlo.InvalidType {
			return "tf32"
		}
		return e.String()
	}
	if l := a.LHSType; l.IsFloat() && l.Bits() == 8 {
		s := "dot_any_f8_any_f8_" + elem(a.AccumulationType)
		if a.AllowImpreciseAccumulation {
			s += "_fast_accum"
		}
		return s
	}
	s := "dot_" + elem(a.LHSType) + "_" + elem(a.RHSType) + "_" + elem(a.AccumulationType)
	if a.NumPrimitiveOps > 1 {
		s += fmt.Sprintf("_x%d", a.NumPrimitiveOps)
	}
	return s
}

// window reads a window's numbers; what is missing is the identity.
func window(o *op, sizes []int64, base, dilation string) []hlo.WindowDimension {
	w := make([]hlo.WindowDimension, len(sizes))
	at := func(key string, i int) int64 {
		if v := o.attrs.Ints(key); v != nil {
			return v[i]
		}
		return 1
	}
	pad, _ := o.attrs.Get("padding").(*stablehlo.Dense)
	rev, _ := o.attrs.Get("window_reversal").(stablehlo.Bools)
	for i, s := range sizes {
		w[i] = hlo.WindowDimension{
			Size: s, Stride: at("window_strides", i), BaseDilation: at(base, i), WindowDilation: at(dilation, i),
		}
		if pad != nil {
			w[i].PaddingLow, w[i].PaddingHigh = pad.Int(int64(2*i)), pad.Int(int64(2*i+1))
		}
		if rev != nil {
			w[i].Reversal = rev[i]
		}
	}
	return w
}

func emitConvolution(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	d := o.attrs.Get("dimension_numbers").(*stablehlo.ConvDims)
	in.ConvDimensions = &hlo.ConvDimensions{
		InputBatch: d.InputBatch, InputFeature: d.InputFeature, InputSpatial: d.InputSpatial,
		KernelInputFeature: d.KernelInputFeature, KernelOutputF: d.KernelOutput, KernelSpatial: d.KernelSpatial,
		OutputBatch: d.OutputBatch, OutputFeature: d.OutputFeature, OutputSpatial: d.OutputSpatial,
	}
	sizes := make([]int64, len(d.KernelSpatial))
	for i, k := range d.KernelSpatial {
		sizes[i] = o.in(1).typ.Dims[k]
	}
	in.Window = window(o, sizes, "lhs_dilation", "rhs_dilation")
	in.FeatureGroupCount = max(1, o.attrs.Int("feature_group_count"))
	in.BatchGroupCount = max(1, o.attrs.Int("batch_group_count"))
	in.Precision = precisionConfig(o)
	c.results(o, in)
	return nil
}

func emitGather(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	d := o.attrs.Get("dimension_numbers").(*stablehlo.GatherDims)
	in.GatherDimensions = &hlo.GatherDimensions{
		OffsetDims: d.OffsetDims, CollapsedSliceDims: d.CollapsedSliceDims, StartIndexMap: d.StartIndexMap,
		IndexVectorDim: d.IndexVectorDim, OperandBatchingDims: d.OperandBatchingDims,
		StartIndicesBatchingDims: d.StartIndicesBatchingDims,
	}
	in.GatherSliceSizes = o.attrs.Ints("slice_sizes")
	in.IndicesAreSorted = o.attrs.Bool("indices_are_sorted")
	c.results(o, in)
	return nil
}

var fftTypes = map[string]hlo.FFTType{"FFT": hlo.FFT, "IFFT": hlo.IFFT, "RFFT": hlo.RFFT, "IRFFT": hlo.IRFFT}

func emitFFT(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	in.FFTType = fftTypes[o.attrs.Enum("fft_type")]
	in.FFTLength = o.attrs.Ints("fft_length")
	c.results(o, in)
	return nil
}

// emitRng takes the shape from the result, not from the operand that says it.
func emitRng(c *comp, o *op) error {
	ins, err := c.operands(o.inputs()[:2])
	if err != nil {
		return err
	}
	in := c.add(hlo.OpRng, shapeOf(o.out().typ), ins...)
	in.Distribution = hlo.RngUniform
	if o.attrs.Enum("rng_distribution") == "NORMAL" {
		in.Distribution = hlo.RngNormal
	}
	c.vals[o.out()] = in
	return nil
}

var rngAlgorithms = map[string]hlo.RandomAlgorithm{
	"DEFAULT": hlo.RngDefault, "THREE_FRY": hlo.RngThreeFry, "PHILOX": hlo.RngPhilox,
}

func emitRngBits(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	in.RngAlgorithm = rngAlgorithms[o.attrs.Enum("rng_algorithm")]
	c.results(o, in)
	return nil
}

func emitCholesky(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	in.Cholesky = &hlo.CholeskyOptions{Lower: o.attrs.Bool("lower")}
	c.results(o, in)
	return nil
}

var transposes = map[string]hlo.Transpose{
	"NO_TRANSPOSE": hlo.NoTranspose, "TRANSPOSE": hlo.DoTranspose, "ADJOINT": hlo.AdjointMatrix,
}

func emitTriangularSolve(c *comp, o *op) error {
	in, err := c.simple(o)
	if err != nil {
		return err
	}
	in.TriangularSolve = &hlo.TriangularSolveOptions{
		LeftSide: o.attrs.Bool("left_side"), Lower: o.attrs.Bool("lower"),
		UnitDiagonal: o.attrs.Bool("unit_diagonal"), TransposeA: transposes[o.attrs.Enum("transpose_a")],
	}
	c.results(o, in)
	return nil
}

func emitTopK(c *comp, o *op) error {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return err
	}
	in := c.add(hlo.OpTopK, shapesOf(o.results), ins...)
	in.K, in.Largest, in.IsStable = o.attrs.Int("k"), true, true
	c.results(o, in)
	return nil
}
