package hlo

import (
	"slices"
	"strconv"
	"strings"
)

// commonAttrs has the attributes that any instruction may have.
var commonAttrs = map[string]func(*instrState){
	"sharding":            func(s *instrState) { s.i.Sharding = s.p.sharding() },
	"frontend_attributes": func(s *instrState) { s.i.FrontendAttributes = s.p.frontendAttributes() },
	"metadata":            func(s *instrState) { s.i.Metadata = s.p.metadata() },
	"result_accuracy":     func(s *instrState) { s.i.ResultAccuracy = s.p.resultAccuracy() },
	"origin":              func(s *instrState) { s.i.OriginalValue = s.p.origin() },
	"backend_config": func(s *instrState) {
		if s.p.peek() == '{' {
			s.i.BackendConfig = s.p.braces()
		} else {
			s.i.BackendConfig = s.p.text()
		}
	},
	"control-predecessors": func(s *instrState) {
		p := s.p
		p.expect("{")
		p.until("}", func() {
			p.skip()
			at := p.at
			p.pending = append(p.pending, pendingControl{s.i, p.name("an instruction"), at})
		})
	},
	"async_execution_thread": func(s *instrState) { s.i.AsyncExecutionThread = s.p.text() },
}

// attrKeys lists, in printed order, the attributes that each opcode takes
// beside the common ones and its called computations.
var attrKeys = func() map[Opcode][]string {
	m := map[Opcode][]string{}
	row := func(keys string, ops ...Opcode) {
		for _, op := range ops {
			m[op] = strings.Fields(keys)
		}
	}
	row("dimensions", OpBroadcast, OpTranspose, OpConcatenate, OpReverse, OpReduce, OpMap, OpSetDimensionSize, OpGetDimensionSize)
	row("dimensions is_stable", OpSort)
	row("iota_dimension", OpIota)
	row("index", OpGetTupleElement)
	row("parameter_replication", OpParameter)
	row("slice", OpSlice)
	row("dynamic_slice_sizes", OpDynamicSlice)
	row("padding", OpPad)
	row("direction order type", OpCompare)
	row("lhs_batch_dims lhs_contracting_dims rhs_batch_dims rhs_contracting_dims operand_precision algorithm", OpDot, OpScaledDot)
	row("lhs_batch_dims lhs_contracting_dims rhs_batch_dims rhs_contracting_dims lhs_ragged_dims rhs_group_dims operand_precision algorithm", OpRaggedDot)
	row("window dim_labels feature_group_count batch_group_count operand_precision", OpConvolution)
	row("window", OpReduceWindow, OpSelectAndScatter)
	row("offset_dims collapsed_slice_dims start_index_map operand_batching_dims start_indices_batching_dims index_vector_dim slice_sizes indices_are_sorted", OpGather)
	row("update_window_dims inserted_window_dims scatter_dims_to_operand_dims input_batching_dims scatter_indices_batching_dims index_vector_dim indices_are_sorted unique_indices", OpScatter)
	row("fft_type fft_length", OpFFT)
	row("exponent_bits mantissa_bits", OpReducePrecision)
	row("lower", OpCholesky)
	row("left_side lower unit_diagonal transpose_a", OpTriangularSolve)
	row("distribution", OpRng)
	row("algorithm", OpRngBitGenerator)
	row("delta", OpRngGetAndUpdateState)
	row("k largest is_stable", OpTopK)
	row("epsilon feature_index", OpBatchNormTraining, OpBatchNormInference, OpBatchNormGrad)
	row("kind output_to_operand_aliasing", OpFusion)
	row("is_composite", OpCall)
	row("window dim_labels feature_group_count batch_group_count operand_precision padding_type custom_call_target operand_layout_constraints custom_call_has_side_effect literal output_to_operand_aliasing schedule api_version", OpCustomCall)
	row("channel_id replica_groups constrain_layout dimensions use_global_device_ids", OpAllGather, OpAllGatherStart, OpReduceScatter, OpAllToAll, OpRaggedAllToAll)
	row("channel_id replica_groups constrain_layout use_global_device_ids", OpAllReduce, OpAllReduceStart)
	row("channel_id replica_groups has_dynamic_root use_global_device_ids", OpCollectiveBroadcast)
	row("channel_id replica_groups has_dynamic_root use_global_device_ids", OpCollectiveReduce)
	row("dimensions num_carries is_reverse is_associative", OpScan)
	row("channel_id source_target_pairs", OpCollectivePermute, OpCollectivePermuteStart)
	row("channel_id is_host_transfer", OpSend, OpSendDone, OpRecv, OpRecvDone)
	row("infeed_config", OpInfeed)
	row("outfeed_shape outfeed_config", OpOutfeed)
	row("domain", OpDomain)
	row("cross_program_prefetch_index", OpCopyStart)
	return m
}()

func intList(field func(*Instruction) *[]int64) func(*instrState) {
	return func(s *instrState) { *field(s.target) = s.p.ints("{", "}") }
}

func flag(field func(*Instruction) *bool) func(*instrState) {
	return func(s *instrState) { *field(s.target) = s.p.bool() }
}

func number(field func(*Instruction) *int64) func(*instrState) {
	return func(s *instrState) { *field(s.target) = s.p.int() }
}

// enum reads one of names.
func enum[T ~int32](p *scanner, what string, names []string) T {
	p.skip()
	start := p.at
	w := p.word(what)
	v, ok := enumByName[T](names, w)
	if !ok {
		p.fail(start, "unknown %s %q; there are %s", what, w, strings.Join(names, ", "))
	}
	return v
}

func dot(i *Instruction) *DotDimensions {
	if i.Opcode == OpRaggedDot {
		return &ragged(i).Dot
	}
	return lazy(&i.DotDimensions)
}

func ragged(i *Instruction) *RaggedDotDimensions { return lazy(&i.RaggedDot) }

func lazy[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}

// attrParsers reads the value of each attribute.
var attrParsers = map[string]func(*instrState){
	"dimensions":           intList(func(i *Instruction) *[]int64 { return &i.Dimensions }),
	"dynamic_slice_sizes":  intList(func(i *Instruction) *[]int64 { return &i.DynamicSizes }),
	"fft_length":           intList(func(i *Instruction) *[]int64 { return &i.FFTLength }),
	"slice_sizes":          intList(func(i *Instruction) *[]int64 { return &i.GatherSliceSizes }),
	"lhs_batch_dims":       intList(func(i *Instruction) *[]int64 { return &dot(i).LHSBatch }),
	"lhs_contracting_dims": intList(func(i *Instruction) *[]int64 { return &dot(i).LHSContracting }),
	"rhs_batch_dims":       intList(func(i *Instruction) *[]int64 { return &dot(i).RHSBatch }),
	"rhs_contracting_dims": intList(func(i *Instruction) *[]int64 { return &dot(i).RHSContracting }),
	"lhs_ragged_dims":      intList(func(i *Instruction) *[]int64 { return &ragged(i).LHSRagged }),
	"rhs_group_dims":       intList(func(i *Instruction) *[]int64 { return &ragged(i).RHSGroup }),

	"offset_dims":                   intList(func(i *Instruction) *[]int64 { return &lazy(&i.GatherDimensions).OffsetDims }),
	"collapsed_slice_dims":          intList(func(i *Instruction) *[]int64 { return &lazy(&i.GatherDimensions).CollapsedSliceDims }),
	"start_index_map":               intList(func(i *Instruction) *[]int64 { return &lazy(&i.GatherDimensions).StartIndexMap }),
	"operand_batching_dims":         intList(func(i *Instruction) *[]int64 { return &lazy(&i.GatherDimensions).OperandBatchingDims }),
	"start_indices_batching_dims":   intList(func(i *Instruction) *[]int64 { return &lazy(&i.GatherDimensions).StartIndicesBatchingDims }),
	"update_window_dims":            intList(func(i *Instruction) *[]int64 { return &lazy(&i.ScatterDims).UpdateWindowDims }),
	"inserted_window_dims":          intList(func(i *Instruction) *[]int64 { return &lazy(&i.ScatterDims).InsertedWindowDims }),
	"scatter_dims_to_operand_dims":  intList(func(i *Instruction) *[]int64 { return &lazy(&i.ScatterDims).ScatterDimsToOperandDims }),
	"input_batching_dims":           intList(func(i *Instruction) *[]int64 { return &lazy(&i.ScatterDims).InputBatchingDims }),
	"scatter_indices_batching_dims": intList(func(i *Instruction) *[]int64 { return &lazy(&i.ScatterDims).ScatterIndicesBatchingDims }),
	"index_vector_dim": func(s *instrState) {
		if s.target.Opcode == OpGather {
			lazy(&s.target.GatherDimensions).IndexVectorDim = s.p.int()
		} else {
			lazy(&s.target.ScatterDims).IndexVectorDim = s.p.int()
		}
	},

	"is_stable":                   flag(func(i *Instruction) *bool { return &i.IsStable }),
	"largest":                     flag(func(i *Instruction) *bool { return &i.Largest }),
	"indices_are_sorted":          flag(func(i *Instruction) *bool { return &i.IndicesAreSorted }),
	"unique_indices":              flag(func(i *Instruction) *bool { return &i.UniqueIndices }),
	"is_composite":                flag(func(i *Instruction) *bool { return &i.IsComposite }),
	"custom_call_has_side_effect": flag(func(i *Instruction) *bool { return &i.CustomCallSideEffect }),
	"constrain_layout":            flag(func(i *Instruction) *bool { return &i.ConstrainLayout }),
	"use_global_device_ids":       flag(func(i *Instruction) *bool { return &i.UseGlobalDeviceIDs }),
	"has_dynamic_root":            flag(func(i *Instruction) *bool { return &i.HasDynamicRoot }),
	"is_host_transfer":            flag(func(i *Instruction) *bool { return &i.IsHostTransfer }),
	"left_side":                   flag(func(i *Instruction) *bool { return &lazy(&i.TriangularSolve).LeftSide }),
	"unit_diagonal":               flag(func(i *Instruction) *bool { return &lazy(&i.TriangularSolve).UnitDiagonal }),
	"lower": flag(func(i *Instruction) *bool {
		if i.Opcode == OpCholesky {
			return &lazy(&i.Cholesky).Lower
		}
		return &lazy(&i.TriangularSolve).Lower
	}),

	"index":               number(func(i *Instruction) *int64 { return &i.TupleIndex }),
	"k":                   number(func(i *Instruction) *int64 { return &i.K }),
	"delta":               number(func(i *Instruction) *int64 { return &i.Delta }),
	"feature_index":       number(func(i *Instruction) *int64 { return &i.FeatureIndex }),
	"channel_id":          number(func(i *Instruction) *int64 { return &i.ChannelID }),
	"feature_group_count": number(func(i *Instruction) *int64 { return &i.FeatureGroupCount }),
	"batch_group_count":   number(func(i *Instruction) *int64 { return &i.BatchGroupCount }),
	"iota_dimension":      func(s *instrState) { s.target.Dimensions = []int64{s.p.int()} },
	"exponent_bits":       func(s *instrState) { s.target.ExponentBits = s.p.int32() },
	"mantissa_bits":       func(s *instrState) { s.target.MantissaBits = s.p.int32() },
	"cross_program_prefetch_index": func(s *instrState) {
		n := s.p.int32()
		s.target.CrossProgramPrefetchIndex = &n
	},
	"num_carries": number(func(i *Instruction) *int64 { return &i.NumCarries }),
	"is_reverse":  flag(func(i *Instruction) *bool { return &i.IsReverse }),
	"is_associative": func(s *instrState) {
		s.target.IsAssociative = 2
		if s.p.bool() {
			s.target.IsAssociative = 1
		}
	},
	"padding_type": func(s *instrState) {
		s.target.PaddingType = enum[PaddingType](&s.p.scanner, "padding type", paddingNames)
	},
	"literal": func(s *instrState) {
		sh := s.p.shape()
		s.target.Literal = s.p.literal(&sh)
	},
	"epsilon": func(s *instrState) { s.target.Epsilon = float32(s.p.real()) },

	"slice":      (*instrState).slice,
	"padding":    (*instrState).padding,
	"window":     (*instrState).window,
	"dim_labels": (*instrState).dimLabels,
	"direction": func(s *instrState) {
		p := s.p
		p.skip()
		start := p.at
		w := p.word("a direction")
		if !comparisons[w] {
			p.fail(start, "unknown direction %q; there are EQ, NE, GE, GT, LE, LT", w)
		}
		s.target.ComparisonDirection = w
	},
	"order":    func(s *instrState) { s.target.ComparisonOrder = s.p.word("an order") },
	"type":     (*instrState).comparisonType,
	"fft_type": func(s *instrState) { s.target.FFTType = enum[FFTType](&s.p.scanner, "fft type", fftNames) },
	"transpose_a": func(s *instrState) {
		lazy(&s.target.TriangularSolve).TransposeA = enum[Transpose](&s.p.scanner, "transpose form", transposeNames)
	},
	"distribution": func(s *instrState) {
		s.target.Distribution = enum[RandomDistribution](&s.p.scanner, "distribution", distributionNames)
	},
	"schedule": func(s *instrState) {
		s.target.CustomCallSchedule = enum[CustomCallSchedule](&s.p.scanner, "schedule", scheduleNames)
	},
	"api_version": func(s *instrState) {
		s.target.CustomCallAPIVersion = enum[CustomCallAPIVersion](&s.p.scanner, "API version", apiVersionNames)
	},
	"algorithm": func(s *instrState) {
		if s.target.Opcode == OpRngBitGenerator {
			s.target.RngAlgorithm = enum[RandomAlgorithm](&s.p.scanner, "algorithm", rngNames)
		} else {
			lazy(&s.target.Precision).Algorithm = enum[DotAlgorithm](&s.p.scanner, "algorithm", dotAlgorithmNames)
		}
	},
	"operand_precision": func(s *instrState) {
		c := lazy(&s.target.Precision)
		s.p.expect("{")
		s.p.until("}", func() {
			c.Operands = append(c.Operands, enum[Precision](&s.p.scanner, "precision", precisionNames))
		})
	},

	"kind":                       func(s *instrState) { s.target.FusionKind = s.p.word("a fusion kind") },
	"custom_call_target":         func(s *instrState) { s.target.CustomCallTarget = s.p.text() },
	"infeed_config":              func(s *instrState) { s.target.InfeedConfig = s.p.text() },
	"outfeed_config":             func(s *instrState) { s.target.OutfeedConfig = s.p.text() },
	"outfeed_shape":              func(s *instrState) { sh := s.p.shape(); s.target.OutfeedShape = &sh },
	"parameter_replication":      func(s *instrState) { s.target.ParameterReplicated = s.p.bools() },
	"replica_groups":             func(s *instrState) { s.target.ReplicaGroups = s.p.replicaGroups() },
	"operand_layout_constraints": (*instrState).layoutConstraints,
	"output_to_operand_aliasing": (*instrState).operandAliasing,
	"source_target_pairs":        (*instrState).sourceTargets,
	"domain":                     (*instrState).domain,
}

// real reads a decimal number.
func (p *scanner) real() float64 {
	p.skip()
	start := p.at
	v, err := strconv.ParseFloat(p.token(), 64)
	if err != nil {
		p.fail(start, "expected a number")
	}
	return v
}

func (s *instrState) slice() {
	p := s.p
	p.expect("{")
	p.until("}", func() {
		p.expect("[")
		d := SliceDimension{Start: p.int(), Stride: 1}
		p.expect(":")
		d.Limit = p.int()
		if p.accept(":") {
			d.Stride = p.int()
		}
		p.expect("]")
		s.target.SliceDimensions = append(s.target.SliceDimensions, d)
	})
}

// padding reads 1_2x0_0, with interior padding 1_2_0x0_0_1; "" for scalars.
func (s *instrState) padding() {
	p := s.p
	if c := p.peek(); c != '-' && (c < '0' || c > '9') {
		return
	}
	for {
		d := PaddingDimension{Low: p.int()}
		p.expect("_")
		d.High = p.int()
		if p.glued("_") {
			d.Interior = p.int()
		}
		s.target.Padding = append(s.target.Padding, d)
		if !p.glued("x") {
			return
		}
	}
}

// window reads {size=3x3 stride=2x2 ...}.
func (s *instrState) window() {
	p := s.p
	p.expect("{")
	w := s.target.Window
	for !p.accept("}") {
		p.skip()
		start := p.at
		key := p.word("a part of a window")
		p.expect("=")
		for k := 0; ; k++ {
			if k == len(w) {
				if key != "size" {
					p.fail(start, "%s has more dimensions than size", key)
				}
				w = append(w, WindowDimension{Stride: 1, WindowDilation: 1, BaseDilation: 1})
			}
			p.windowPart(&w[k], key, start)
			if !p.glued("x") {
				break
			}
		}
	}
	s.target.Window = w
}

func (p *scanner) windowPart(d *WindowDimension, key string, at int) {
	switch key {
	case "size":
		d.Size = p.int()
	case "stride":
		d.Stride = p.int()
	case "pad":
		d.PaddingLow = p.int()
		p.expect("_")
		d.PaddingHigh = p.int()
	case "lhs_dilate":
		d.BaseDilation = p.int()
	case "rhs_dilate":
		d.WindowDilation = p.int()
	case "rhs_reversal":
		d.Reversal = p.int() != 0
	default:
		p.fail(at, "unknown part of a window %q", key)
	}
}

// dimLabels reads b01f_01io->b01f. A label that is missing names dimension 0,
// as XLA has it for custom calls; "?" is a dimension without a name.
func (s *instrState) dimLabels() {
	p := s.p
	p.skip()
	start := p.at
	in := p.labels()
	p.expect("_")
	kernel := p.labels()
	p.expect("->")
	out := p.labels()
	d := &ConvDimensions{}
	ok := parseLabels(in, 'b', 'f', &d.InputBatch, &d.InputFeature, &d.InputSpatial) &&
		parseLabels(kernel, 'i', 'o', &d.KernelInputFeature, &d.KernelOutputF, &d.KernelSpatial) &&
		parseLabels(out, 'b', 'f', &d.OutputBatch, &d.OutputFeature, &d.OutputSpatial)
	if !ok || len(d.InputSpatial) != len(d.KernelSpatial) || len(d.InputSpatial) != len(d.OutputSpatial) {
		p.fail(start, "expected dimension labels such as b01f_01io->b01f")
	}
	s.target.ConvDimensions = d
}

// labels reads one of the three parts of dimension labels.
func (p *scanner) labels() string {
	start := p.at
	for p.at < len(p.s) && strings.IndexByte("0123456789bfio?", p.s[p.at]) >= 0 {
		p.at++
	}
	return p.s[start:p.at]
}

// maxLabel bounds the dimensions that labels name.
const maxLabel = 12

func parseLabels(labels string, a, b byte, first, second *int64, spatial *[]int64) bool {
	if labels == "" || len(labels) > maxLabel {
		return false
	}
	var dims [10]int64
	seen := [256]bool{}
	n := 0
	for k := range len(labels) {
		c := labels[k]
		if c != '?' && seen[c] {
			return false
		}
		seen[c] = true
		switch {
		case c == a:
			*first = int64(k)
		case c == b:
			*second = int64(k)
		case c >= '0' && c <= '9':
			dims[c-'0'] = int64(k)
			n++
		case c != '?':
			return false
		}
	}
	for i := range n {
		if !seen['0'+i] {
			return false
		}
	}
	if n > 0 {
		*spatial = slices.Clone(dims[:n])
	}
	return true
}

// comparisonType reads the older form of a comparison's order.
func (s *instrState) comparisonType() {
	w := s.p.word("a comparison type")
	if w == "TOTALORDER" {
		s.target.ComparisonOrder = "TOTAL"
		return
	}
	s.target.ComparisonType = ""
}

func (s *instrState) layoutConstraints() {
	s.target.ConstrainLayout = true
	s.p.expect("{")
	s.p.until("}", func() { s.target.OperandShapes = append(s.target.OperandShapes, s.p.shape()) })
}

func (s *instrState) operandAliasing() {
	p := s.p
	p.expect("{")
	p.until("}", func() {
		a := OutputOperandAliasing{OutputIndex: p.ints("{", "}")}
		p.expect(":")
		p.expect("(")
		a.OperandIndex = p.int()
		if p.accept(",") {
			a.OperandShape = p.ints("{", "}")
		}
		p.expect(")")
		s.target.OutputOperandAliasing = append(s.target.OutputOperandAliasing, a)
	})
}

func (s *instrState) sourceTargets() {
	p := s.p
	p.expect("{")
	p.until("}", func() {
		p.expect("{")
		t := SourceTarget{Source: p.int()}
		p.expect(",")
		t.Target = p.int()
		p.expect("}")
		s.target.SourceTargetPairs = append(s.target.SourceTargetPairs, t)
	})
}

// domain reads {kind="sharding", entry={...}, exit={...}}; see the printer.
func (s *instrState) domain() {
	p := s.p
	p.expect("{")
	p.expect("kind")
	p.expect("=")
	p.text()
	p.expect(",")
	p.expect("entry")
	p.expect("=")
	s.target.DomainExitSharding = p.sharding()
	p.expect(",")
	p.expect("exit")
	p.expect("=")
	s.target.DomainEntrySharding = p.sharding()
	p.expect("}")
}

func (p *scanner) resultAccuracy() *ResultAccuracy {
	a := &ResultAccuracy{}
	p.expect("{")
	if p.accept("mode") {
		p.expect("=")
		a.Mode = enum[int32](p, "accuracy mode", []string{"default", "highest"})
		p.expect("}")
		return a
	}
	p.expect("tolerance")
	p.expect("=")
	p.expect("{")
	a.Tolerance = &Tolerance{}
	p.until("}", func() {
		p.skip()
		start := p.at
		key := p.word("a tolerance")
		p.expect("=")
		switch key {
		case "atol":
			a.Tolerance.Atol = p.real()
		case "rtol":
			a.Tolerance.Rtol = p.real()
		case "ulps":
			a.Tolerance.ULPs = p.int()
		default:
			p.fail(start, "unknown tolerance %q", key)
		}
	})
	p.expect("}")
	return a
}

// origin reads {{"a"}} or, for a tuple, {({"a" {0}}, {})}.
func (p *scanner) origin() *OriginalValue {
	v := &OriginalValue{}
	p.expect("{")
	if p.accept("[synthetic_call]") {
		v.SyntheticCall = true
	} else {
		p.originTree(v, nil)
	}
	p.expect("}")
	return v
}

func (p *scanner) originTree(v *OriginalValue, index []int64) {
	if p.accept("(") {
		n := int64(0)
		p.until(")", func() {
			p.originTree(v, append(slices.Clip(index), n))
			n++
		})
		return
	}
	e := OriginalElement{ShapeIndex: index}
	p.expect("{")
	if !p.accept("}") {
		e.Known, e.Name = true, p.text()
		if p.peek() == '{' {
			e.OriginalIndex = p.ints("{", "}")
		}
		p.expect("}")
	}
	v.Elements = append(v.Elements, e)
}

// metadata reads {op_name="..." stack_frame_id=3}.
func (p *scanner) metadata() OpMetadata {
	var m OpMetadata
	p.expect("{")
	for !p.accept("}") {
		p.skip()
		start := p.at
		key := p.word("a field of metadata")
		p.expect("=")
		if t := m.text(key); t != nil {
			*t = p.text()
		} else if n := m.number(key); n != nil {
			*n = p.int32()
		} else if n := m.size(key); n != nil {
			*n = p.int()
		} else if key == "profile_info" || key == "profile_type" {
			p.braces()
		} else {
			p.fail(start, "unknown field of metadata %q", key)
		}
	}
	return m
}

func (m *OpMetadata) text(key string) *string {
	switch key {
	case "op_type":
		return &m.OpType
	case "op_name":
		return &m.OpName
	case "source_file":
		return &m.SourceFile
	case "deduplicated_name":
		return &m.DeduplicatedName
	case "scheduling_name":
		return &m.SchedulingName
	}
	return nil
}

func (m *OpMetadata) number(key string) *int32 {
	switch key {
	case "source_line":
		return &m.SourceLine
	case "source_end_line":
		return &m.SourceEndLine
	case "source_column":
		return &m.SourceColumn
	case "source_end_column":
		return &m.SourceEndColumn
	case "stack_frame_id":
		return &m.StackFrameID
	}
	return nil
}

func (m *OpMetadata) size(key string) *int64 {
	switch key {
	case "size_of_generated_code_in_bytes":
		return &m.GeneratedCodeSize
	case "size_of_memory_working_set_in_bytes":
		return &m.WorkingSetSize
	}
	return nil
}
