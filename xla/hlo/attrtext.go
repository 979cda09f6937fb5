package hlo

import "strconv"

// extraAttrs prints the attributes of i's opcode and the computations it
// calls. wrapped is the instruction that an async one stands for, if any.
func (p *printer) extraAttrs(i, wrapped *Instruction) {
	if i.Opcode == OpAsyncStart || i.Opcode == OpAsyncUpdate || i.Opcode == OpAsyncDone {
		p.asyncAttrs(i, wrapped)
		return
	}
	if f := attrPrinters[i.Opcode]; f != nil {
		f(p, i)
	}
	p.called(i)
	if i.Opcode == OpCall {
		p.attrIf("is_composite", i.IsComposite)
	}
}

func (p *printer) asyncAttrs(i, wrapped *Instruction) {
	if i.Opcode != OpAsyncStart {
		return
	}
	if t := i.AsyncExecutionThread; t != "" && t != mainThread {
		p.attr("async_execution_thread")
		p.quoted(t)
	}
	if wrapped != nil {
		p.extraAttrs(wrapped, nil)
		if p.FullBodies {
			p.called(i)
		}
		return
	}
	p.called(i)
}

// attrPrinters has a row for each opcode with attributes of its own; order
// within a row is the printed order.
var attrPrinters map[Opcode]func(p *printer, i *Instruction)

func init() { // not a literal: the rows refer to printer methods that refer to the table
	dims := func(p *printer, i *Instruction) { p.attrList("dimensions", i.Dimensions) }
	attrPrinters = map[Opcode]func(p *printer, i *Instruction){
		OpBroadcast: dims, OpTranspose: dims, OpConcatenate: dims, OpReverse: dims, OpReduce: dims, OpMap: dims,
		OpSetDimensionSize: dims, OpGetDimensionSize: dims,
		OpSort: func(p *printer, i *Instruction) {
			dims(p, i)
			p.attrIf("is_stable", i.IsStable)
		},
		OpIota: func(p *printer, i *Instruction) {
			if len(i.Dimensions) > 0 {
				p.attrInt("iota_dimension", i.Dimensions[0])
			}
		},
		OpGetTupleElement: func(p *printer, i *Instruction) { p.attrInt("index", i.TupleIndex) },
		OpParameter: func(p *printer, i *Instruction) {
			if len(i.ParameterReplicated) > 0 {
				p.attr("parameter_replication")
				p.bools(i.ParameterReplicated)
			}
		},
		OpSlice:            (*printer).sliceAttrs,
		OpDynamicSlice:     func(p *printer, i *Instruction) { p.attrList("dynamic_slice_sizes", i.DynamicSizes) },
		OpPad:              (*printer).padAttrs,
		OpCompare:          (*printer).compareAttrs,
		OpDot:              (*printer).dotAttrs,
		OpScaledDot:        (*printer).dotAttrs,
		OpRaggedDot:        (*printer).raggedDotAttrs,
		OpConvolution:      (*printer).convAttrs,
		OpReduceWindow:     (*printer).window,
		OpSelectAndScatter: (*printer).window,
		OpGather:           (*printer).gatherAttrs,
		OpScatter:          (*printer).scatterAttrs,
		OpFFT: func(p *printer, i *Instruction) {
			p.attrStr("fft_type", i.FFTType.String())
			p.attrList("fft_length", i.FFTLength)
		},
		OpReducePrecision: func(p *printer, i *Instruction) {
			p.attrInt("exponent_bits", int64(i.ExponentBits))
			p.attrInt("mantissa_bits", int64(i.MantissaBits))
		},
		OpCholesky:        func(p *printer, i *Instruction) { p.attrIf("lower", i.Cholesky != nil && i.Cholesky.Lower) },
		OpTriangularSolve: (*printer).triangularSolveAttrs,
		OpRng:             func(p *printer, i *Instruction) { p.attrStr("distribution", i.Distribution.String()) },
		OpRngBitGenerator: func(p *printer, i *Instruction) { p.attrStr("algorithm", i.RngAlgorithm.String()) },
		OpRngGetAndUpdateState: func(p *printer, i *Instruction) {
			p.attrInt("delta", i.Delta)
		},
		OpTopK:              (*printer).topkAttrs,
		OpBatchNormTraining: (*printer).batchNormAttrs, OpBatchNormInference: (*printer).batchNormAttrs, OpBatchNormGrad: (*printer).batchNormAttrs,
		OpFusion: func(p *printer, i *Instruction) {
			p.attrStr("kind", i.FusionKind)
			p.operandAliasing(i)
		},
		OpCustomCall: (*printer).customCallAttrs,
		OpAllGather:  (*printer).collectiveAttrs, OpAllGatherStart: (*printer).collectiveAttrs,
		OpAllReduce: (*printer).collectiveAttrs, OpAllReduceStart: (*printer).collectiveAttrs,
		OpReduceScatter: (*printer).collectiveAttrs, OpAllToAll: (*printer).collectiveAttrs, OpRaggedAllToAll: (*printer).collectiveAttrs,
		OpCollectiveBroadcast: (*printer).collectiveAttrs, OpCollectiveReduce: (*printer).collectiveAttrs,
		OpScan:              (*printer).scanAttrs,
		OpCollectivePermute: (*printer).collectiveAttrs, OpCollectivePermuteStart: (*printer).collectiveAttrs,
		OpSend: (*printer).transferAttrs, OpSendDone: (*printer).transferAttrs,
		OpRecv: (*printer).transferAttrs, OpRecvDone: (*printer).transferAttrs,
		OpInfeed: func(p *printer, i *Instruction) {
			p.quotedIf("infeed_config", i.InfeedConfig)
		},
		OpOutfeed: func(p *printer, i *Instruction) {
			if i.OutfeedShape != nil {
				p.attr("outfeed_shape")
				p.shape(i.OutfeedShape)
			}
			p.quotedIf("outfeed_config", i.OutfeedConfig)
		},
		OpDomain: (*printer).domainAttrs,
		OpCopyStart: func(p *printer, i *Instruction) {
			if x := i.CrossProgramPrefetchIndex; x != nil {
				p.attrInt("cross_program_prefetch_index", int64(*x))
			}
		},
	}
}

func (p *printer) quotedIf(key, s string) {
	if s != "" {
		p.attr(key)
		p.quoted(s)
	}
}

func (p *printer) sliceAttrs(i *Instruction) {
	strided := false
	for _, d := range i.SliceDimensions {
		strided = strided || d.Stride != 1
	}
	p.attr("slice")
	p.byte('{')
	for k, d := range i.SliceDimensions {
		if k > 0 {
			p.str(", ")
		}
		p.byte('[')
		p.int(d.Start)
		p.byte(':')
		p.int(d.Limit)
		if strided {
			p.byte(':')
			p.int(d.Stride)
		}
		p.byte(']')
	}
	p.byte('}')
}

func (p *printer) padAttrs(i *Instruction) {
	interior := false
	for _, d := range i.Padding {
		interior = interior || d.Interior != 0
	}
	p.attr("padding")
	for k, d := range i.Padding {
		if k > 0 {
			p.byte('x')
		}
		p.int(d.Low)
		p.byte('_')
		p.int(d.High)
		if interior {
			p.byte('_')
			p.int(d.Interior)
		}
	}
}

func (p *printer) compareAttrs(i *Instruction) {
	p.attrStr("direction", i.ComparisonDirection)
	if len(i.Operands) == 0 {
		return
	}
	t := i.Operands[0].Shape.ElementType
	inexact := t.IsFloat() || t.IsComplex()
	switch {
	case i.ComparisonOrder == "TOTAL" && inexact:
		p.attrStr("order", "TOTAL")
	case i.ComparisonOrder == "" && i.ComparisonType != "" && i.ComparisonType != defaultComparison(t):
		p.attrStr("type", i.ComparisonType)
	}
}

// defaultComparison is the comparison_type that an operand of type t implies.
func defaultComparison(t PrimitiveType) string {
	switch {
	case t.IsFloat(), t.IsComplex():
		return "FLOAT"
	case t.IsSigned():
		return "SIGNED"
	}
	return "UNSIGNED"
}

func (p *printer) dotDims(d *DotDimensions) {
	if d == nil {
		d = &DotDimensions{}
	}
	if len(d.LHSBatch) > 0 {
		p.attrList("lhs_batch_dims", d.LHSBatch)
	}
	p.attrList("lhs_contracting_dims", d.LHSContracting)
	if len(d.RHSBatch) > 0 {
		p.attrList("rhs_batch_dims", d.RHSBatch)
	}
	p.attrList("rhs_contracting_dims", d.RHSContracting)
}

func (p *printer) dotAttrs(i *Instruction) {
	p.dotDims(i.DotDimensions)
	p.precision(i.Precision)
}

func (p *printer) raggedDotAttrs(i *Instruction) {
	r := i.RaggedDot
	if r == nil {
		r = &RaggedDotDimensions{}
	}
	p.dotDims(&r.Dot)
	p.attrList("lhs_ragged_dims", r.LHSRagged)
	if len(r.RHSGroup) > 0 {
		p.attrList("rhs_group_dims", r.RHSGroup)
	}
	p.precision(i.Precision)
}

func (p *printer) precision(c *PrecisionConfig) {
	if c == nil {
		return
	}
	for _, o := range c.Operands {
		if o == PrecisionDefault {
			continue
		}
		p.attr("operand_precision")
		p.byte('{')
		for k, o := range c.Operands {
			if k > 0 {
				p.byte(',')
			}
			p.str(o.String())
		}
		p.byte('}')
		break
	}
	if c.Algorithm != 0 {
		p.attrStr("algorithm", c.Algorithm.String())
	}
}

// window prints the parts of a window that some dimension makes non-trivial.
func (p *printer) window(i *Instruction) {
	if len(i.Window) == 0 {
		return
	}
	p.attr("window")
	p.str("{size")
	part := func(key string, always bool, odd func(WindowDimension) bool, value func(WindowDimension)) {
		for _, d := range i.Window {
			always = always || odd(d)
		}
		if !always {
			return
		}
		p.str(key)
		for k, d := range i.Window {
			if k > 0 {
				p.byte('x')
			}
			value(d)
		}
	}
	no := func(WindowDimension) bool { return false }
	part("=", true, no, func(d WindowDimension) { p.int(d.Size) })
	part(" stride=", false, func(d WindowDimension) bool { return d.Stride != 1 }, func(d WindowDimension) { p.int(d.Stride) })
	part(" pad=", false, func(d WindowDimension) bool { return d.PaddingLow != 0 || d.PaddingHigh != 0 }, func(d WindowDimension) {
		p.int(d.PaddingLow)
		p.byte('_')
		p.int(d.PaddingHigh)
	})
	part(" lhs_dilate=", false, func(d WindowDimension) bool { return d.BaseDilation != 1 }, func(d WindowDimension) { p.int(d.BaseDilation) })
	part(" rhs_dilate=", false, func(d WindowDimension) bool { return d.WindowDilation != 1 }, func(d WindowDimension) { p.int(d.WindowDilation) })
	part(" rhs_reversal=", false, func(d WindowDimension) bool { return d.Reversal }, func(d WindowDimension) {
		if d.Reversal {
			p.byte('1')
		} else {
			p.byte('0')
		}
	})
	p.byte('}')
}

func (p *printer) convAttrs(i *Instruction) {
	p.window(i)
	if d := i.ConvDimensions; d != nil {
		p.attr("dim_labels")
		p.b = append(p.b, dimLabels(d)...)
	}
	if i.FeatureGroupCount > 1 {
		p.attrInt("feature_group_count", i.FeatureGroupCount)
	}
	if i.BatchGroupCount > 1 {
		p.attrInt("batch_group_count", i.BatchGroupCount)
	}
	p.precision(i.Precision)
}

// dimLabels gives "b01f_01io->b01f".
func dimLabels(d *ConvDimensions) string {
	return labelDims(d.InputBatch, d.InputFeature, d.InputSpatial, 'b', 'f') + "_" +
		labelDims(d.KernelInputFeature, d.KernelOutputF, d.KernelSpatial, 'i', 'o') + "->" +
		labelDims(d.OutputBatch, d.OutputFeature, d.OutputSpatial, 'b', 'f')
}

// labelDims has a place for each dimension up to the last that is named; a
// custom call may leave some without a name.
func labelDims(first, second int64, spatial []int64, a, b byte) string {
	n := max(first, second)
	for _, d := range spatial {
		n = max(n, d)
	}
	if n > maxLabel {
		n = int64(len(spatial)) + 1
	}
	s := make([]byte, n+1)
	for i := range s {
		s[i] = '?'
	}
	set := func(at int64, c byte) {
		if at >= 0 && at < int64(len(s)) {
			s[at] = c
		}
	}
	set(first, a)
	set(second, b)
	for i, d := range spatial {
		set(d, byte('0'+i%10))
	}
	return string(s)
}

func (p *printer) gatherAttrs(i *Instruction) {
	d := i.GatherDimensions
	if d == nil {
		d = &GatherDimensions{}
	}
	p.attrList("offset_dims", d.OffsetDims)
	p.attrList("collapsed_slice_dims", d.CollapsedSliceDims)
	p.attrList("start_index_map", d.StartIndexMap)
	if len(d.OperandBatchingDims) > 0 {
		p.attrList("operand_batching_dims", d.OperandBatchingDims)
	}
	if len(d.StartIndicesBatchingDims) > 0 {
		p.attrList("start_indices_batching_dims", d.StartIndicesBatchingDims)
	}
	p.attrInt("index_vector_dim", d.IndexVectorDim)
	p.attrList("slice_sizes", i.GatherSliceSizes)
	p.attrIf("indices_are_sorted", i.IndicesAreSorted)
}

func (p *printer) scatterAttrs(i *Instruction) {
	d := i.ScatterDims
	if d == nil {
		d = &ScatterDimensions{}
	}
	p.attrList("update_window_dims", d.UpdateWindowDims)
	p.attrList("inserted_window_dims", d.InsertedWindowDims)
	p.attrList("scatter_dims_to_operand_dims", d.ScatterDimsToOperandDims)
	if len(d.InputBatchingDims) > 0 {
		p.attrList("input_batching_dims", d.InputBatchingDims)
	}
	if len(d.ScatterIndicesBatchingDims) > 0 {
		p.attrList("scatter_indices_batching_dims", d.ScatterIndicesBatchingDims)
	}
	p.attrInt("index_vector_dim", d.IndexVectorDim)
	p.attrIf("indices_are_sorted", i.IndicesAreSorted)
	p.attrIf("unique_indices", i.UniqueIndices)
}

func (p *printer) triangularSolveAttrs(i *Instruction) {
	t := i.TriangularSolve
	if t == nil {
		t = &TriangularSolveOptions{}
	}
	p.attrIf("left_side", t.LeftSide)
	p.attrIf("lower", t.Lower)
	p.attrIf("unit_diagonal", t.UnitDiagonal)
	p.attrStr("transpose_a", t.TransposeA.String())
}

func (p *printer) topkAttrs(i *Instruction) {
	p.attrInt("k", i.K)
	p.attr("largest")
	p.b = strconv.AppendBool(p.b, i.Largest)
	p.attr("is_stable")
	p.b = strconv.AppendBool(p.b, i.IsStable)
}

// scanAttrs follows XLA, which shows an unknown is_associative as false.
func (p *printer) scanAttrs(i *Instruction) {
	p.attrList("dimensions", i.Dimensions)
	p.attrInt("num_carries", i.NumCarries)
	p.attrIf("is_reverse", i.IsReverse)
	p.attr("is_associative")
	p.b = strconv.AppendBool(p.b, i.IsAssociative == 1)
}

func (p *printer) batchNormAttrs(i *Instruction) {
	p.attr("epsilon")
	p.b = appendG(p.b, float64(i.Epsilon), 6)
	p.attrInt("feature_index", i.FeatureIndex)
}

func (p *printer) operandAliasing(i *Instruction) {
	if len(i.OutputOperandAliasing) == 0 {
		return
	}
	p.attr("output_to_operand_aliasing")
	p.byte('{')
	for k, a := range i.OutputOperandAliasing {
		if k > 0 {
			p.str(", ")
		}
		p.list(a.OutputIndex)
		p.str(": (")
		p.int(a.OperandIndex)
		p.str(", ")
		p.list(a.OperandShape)
		p.byte(')')
	}
	p.byte('}')
}

func (p *printer) customCallAttrs(i *Instruction) {
	p.convAttrs(i)
	if i.PaddingType != 0 {
		p.attrStr("padding_type", i.PaddingType.String())
	}
	p.attr("custom_call_target")
	p.quoted(i.CustomCallTarget)
	if i.ConstrainLayout {
		p.attr("operand_layout_constraints")
		p.byte('{')
		for k := range i.OperandShapes {
			if k > 0 {
				p.str(", ")
			}
			p.shape(&i.OperandShapes[k])
		}
		p.byte('}')
	}
	p.attrIf("custom_call_has_side_effect", i.CustomCallSideEffect)
	if i.Literal != nil {
		p.attr("literal")
		p.shape(&i.Literal.Shape)
		p.byte(' ')
		p.b = i.Literal.AppendText(p.b)
	}
	p.operandAliasing(i)
	if i.CustomCallSchedule != 0 {
		p.attrStr("schedule", i.CustomCallSchedule.String())
	}
	if i.CustomCallAPIVersion > APIVersionOriginal {
		p.attrStr("api_version", i.CustomCallAPIVersion.String())
	}
}

func (p *printer) collectiveAttrs(i *Instruction) {
	if i.ChannelID != 0 {
		p.attrInt("channel_id", i.ChannelID)
	}
	if i.Opcode == OpCollectivePermute || i.Opcode == OpCollectivePermuteStart {
		p.attr("source_target_pairs")
		p.byte('{')
		for k, s := range i.SourceTargetPairs {
			if k > 0 {
				p.byte(',')
			}
			p.list([]int64{s.Source, s.Target})
		}
		p.byte('}')
	} else {
		p.attr("replica_groups")
		p.replicaGroups(i.ReplicaGroups)
	}
	p.attrIf("constrain_layout", i.ConstrainLayout)
	switch i.Opcode {
	case OpAllGather, OpAllGatherStart:
		p.attrList("dimensions", i.Dimensions)
	case OpCollectiveBroadcast, OpCollectiveReduce:
		p.attr("has_dynamic_root")
		p.b = strconv.AppendBool(p.b, i.HasDynamicRoot)
	}
	p.attrIf("use_global_device_ids", i.UseGlobalDeviceIDs)
	if i.Opcode == OpReduceScatter || i.Opcode == OpAllToAll && len(i.Dimensions) > 0 {
		p.attrList("dimensions", i.Dimensions)
	}
}

func (p *printer) transferAttrs(i *Instruction) {
	if i.ChannelID != 0 {
		p.attrInt("channel_id", i.ChannelID)
	}
	p.attrIf("is_host_transfer", i.IsHostTransfer)
}

func (p *printer) domainAttrs(i *Instruction) {
	if i.DomainEntrySharding == nil || i.DomainExitSharding == nil {
		return
	}
	p.attr("domain")
	// XLA's text means the user's side by "entry", its proto the operand's side.
	p.str(`{kind="sharding", entry=`)
	p.sharding(i.DomainExitSharding)
	p.str(", exit=")
	p.sharding(i.DomainEntrySharding)
	p.byte('}')
}
