package hlo

import "gopherlo/xla/hlo/hlopb"

// encodeInstruction writes everything but ids and the literal.
func encodeInstruction(i *Instruction) *hlopb.Instruction {
	p := &hlopb.Instruction{
		Name: i.Name, Opcode: string(i.Opcode), Shape: encodeShape(i.Shape), Metadata: encodeMetadata(&i.Metadata),
		FrontendAttributes: encodeFrontendAttributes(i.FrontendAttributes),
		Sharding:           encodeSharding(i.Sharding), BackendConfig: []byte(i.BackendConfig),
		ParameterNumber: i.ParameterNumber, TupleIndex: i.TupleIndex,
		Dimensions: i.Dimensions, IsStable: i.IsStable, DynamicSliceSizes: i.DynamicSizes,
		GatherSliceSizes:  i.GatherSliceSizes,
		FeatureGroupCount: i.FeatureGroupCount, BatchGroupCount: i.BatchGroupCount,
		IndicesAreSorted: i.IndicesAreSorted, UniqueIndices: i.UniqueIndices,
		ComparisonDirection: i.ComparisonDirection, ComparisonOrder: i.ComparisonOrder, ComparisonType: i.ComparisonType,
		FftType: int32(i.FFTType), FftLength: i.FFTLength,
		ExponentBits: i.ExponentBits, MantissaBits: i.MantissaBits,
		Distribution: int32(i.Distribution), RngAlgorithm: int32(i.RngAlgorithm), Delta: i.Delta,
		K: i.K, Largest: i.Largest, Epsilon: i.Epsilon, FeatureIndex: i.FeatureIndex,
		FusionKind: i.FusionKind, IsComposite: i.IsComposite,
		CustomCallTarget: i.CustomCallTarget, CustomCallHasSideEffect: i.CustomCallSideEffect,
		CustomCallSchedule: int32(i.CustomCallSchedule), CustomCallApiVersion: int32(i.CustomCallAPIVersion),
		ConstrainLayout: i.ConstrainLayout, OperandShapesWithLayout: mapSlice(i.OperandShapes, encodeShape),
		PaddingType: int32(i.PaddingType),
		ChannelId:   i.ChannelID, UseGlobalDeviceIds: i.UseGlobalDeviceIDs, AllReduceId: i.AllReduceID,
		IsHostTransfer: i.IsHostTransfer, InfeedConfig: []byte(i.InfeedConfig), OutfeedConfig: []byte(i.OutfeedConfig),
		DomainEntrySharding: encodeSharding(i.DomainEntrySharding), DomainExitSharding: encodeSharding(i.DomainExitSharding),
		AsyncExecutionThread:      i.AsyncExecutionThread,
		IsCrossProgramPrefetch:    i.IsCrossProgramPrefetch,
		CrossProgramPrefetchIndex: i.CrossProgramPrefetchIndex,
		HasDynamicRoot:            i.HasDynamicRoot, IsReverse: i.IsReverse, NumCarries: i.NumCarries,
		IsAssociative: i.IsAssociative, ConvKind: i.ConvKind,
	}
	setUnknown(p, i.unknown)
	if len(i.ParameterReplicated) > 0 {
		p.ParameterReplication = &hlopb.ParameterReplication{ReplicatedAtLeafBuffers: i.ParameterReplicated}
	}
	if i.OutfeedShape != nil {
		p.OutfeedShape = encodeShape(*i.OutfeedShape)
	}
	encodeDimensionAttrs(p, i)
	encodeContractions(p, i)
	encodeOptionAttrs(p, i)
	encodeReplicaGroups(p, i.ReplicaGroups)
	return p
}

func encodeDimensionAttrs(p *hlopb.Instruction, i *Instruction) {
	for _, s := range i.SliceDimensions {
		p.SliceDimensions = append(p.SliceDimensions, &hlopb.Instruction_SliceDimension{Start: s.Start, Limit: s.Limit, Stride: s.Stride})
	}
	if len(i.Padding) > 0 {
		p.PaddingConfig = &hlopb.PaddingConfig{}
		for _, d := range i.Padding {
			p.PaddingConfig.Dimensions = append(p.PaddingConfig.Dimensions, &hlopb.PaddingConfig_Dimension{
				EdgePaddingLow: d.Low, EdgePaddingHigh: d.High, InteriorPadding: d.Interior,
			})
		}
	}
	if len(i.Window) > 0 || i.Opcode == OpConvolution || i.Opcode == OpReduceWindow || i.Opcode == OpSelectAndScatter {
		p.Window = &hlopb.Window{}
		for _, d := range i.Window {
			p.Window.Dimensions = append(p.Window.Dimensions, &hlopb.Window_Dimension{
				Size: d.Size, Stride: d.Stride, PaddingLow: d.PaddingLow, PaddingHigh: d.PaddingHigh,
				WindowDilation: d.WindowDilation, BaseDilation: d.BaseDilation, WindowReversal: d.Reversal,
			})
		}
	}
	for _, a := range i.OutputOperandAliasing {
		p.OutputOperandAliasing = append(p.OutputOperandAliasing, &hlopb.OutputOperandAliasing{
			OutputShapeIndex: a.OutputIndex, OperandIndex: a.OperandIndex, OperandShapeIndex: a.OperandShape,
		})
	}
}

func encodeContractions(p *hlopb.Instruction, i *Instruction) {
	if d := i.ConvDimensions; d != nil {
		p.ConvolutionDimensionNumbers = &hlopb.ConvolutionDimensions{
			InputBatchDimension: d.InputBatch, InputFeatureDimension: d.InputFeature, InputSpatialDimensions: d.InputSpatial,
			KernelInputFeatureDimension: d.KernelInputFeature, KernelOutputFeatureDimension: d.KernelOutputF, KernelSpatialDimensions: d.KernelSpatial,
			OutputBatchDimension: d.OutputBatch, OutputFeatureDimension: d.OutputFeature, OutputSpatialDimensions: d.OutputSpatial,
		}
	}
	if d := i.DotDimensions; d != nil {
		p.DotDimensionNumbers = encodeDot(d)
	}
	if d := i.RaggedDot; d != nil {
		p.RaggedDotDimensionNumbers = &hlopb.RaggedDotDimensions{
			DotDimensionNumbers: encodeDot(&d.Dot), LhsRaggedDimensions: d.LHSRagged, RhsGroupDimensions: d.RHSGroup,
		}
	}
	if d := i.GatherDimensions; d != nil {
		p.GatherDimensionNumbers = &hlopb.GatherDimensions{
			OffsetDims: d.OffsetDims, CollapsedSliceDims: d.CollapsedSliceDims, StartIndexMap: d.StartIndexMap, IndexVectorDim: d.IndexVectorDim,
			OperandBatchingDims: d.OperandBatchingDims, StartIndicesBatchingDims: d.StartIndicesBatchingDims,
		}
	}
	if d := i.ScatterDims; d != nil {
		p.ScatterDimensionNumbers = &hlopb.ScatterDimensions{
			UpdateWindowDims: d.UpdateWindowDims, InsertedWindowDims: d.InsertedWindowDims, ScatterDimsToOperandDims: d.ScatterDimsToOperandDims,
			IndexVectorDim: d.IndexVectorDim, InputBatchingDims: d.InputBatchingDims, ScatterIndicesBatchingDims: d.ScatterIndicesBatchingDims,
		}
	}
}

func encodeDot(d *DotDimensions) *hlopb.DotDimensions {
	return &hlopb.DotDimensions{
		LhsContractingDimensions: d.LHSContracting, RhsContractingDimensions: d.RHSContracting,
		LhsBatchDimensions: d.LHSBatch, RhsBatchDimensions: d.RHSBatch,
	}
}

func encodeOptionAttrs(p *hlopb.Instruction, i *Instruction) {
	if c := i.Precision; c != nil {
		p.PrecisionConfig = &hlopb.PrecisionConfig{
			OperandPrecision: mapSlice(c.Operands, func(n Precision) int32 { return int32(n) }), Algorithm: int32(c.Algorithm),
		}
	}
	if c := i.Cholesky; c != nil {
		p.CholeskyOptions = &hlopb.CholeskyOptions{Lower: c.Lower}
	}
	if t := i.TriangularSolve; t != nil {
		p.TriangularSolveOptions = &hlopb.TriangularSolveOptions{
			LeftSide: t.LeftSide, Lower: t.Lower, UnitDiagonal: t.UnitDiagonal, TransposeA: int32(t.TransposeA),
		}
	}
	if a := i.ResultAccuracy; a != nil {
		p.ResultAccuracy = &hlopb.ResultAccuracy{Specs: &hlopb.ResultAccuracy_Mode{Mode: a.Mode}}
		if t := a.Tolerance; t != nil {
			p.ResultAccuracy.Specs = &hlopb.ResultAccuracy_Tolerance_{
				Tolerance: &hlopb.ResultAccuracy_Tolerance{Atol: t.Atol, Rtol: t.Rtol, Ulps: t.ULPs},
			}
		}
	}
	for _, s := range i.SourceTargetPairs {
		p.SourceTargetPairs = append(p.SourceTargetPairs, &hlopb.Instruction_SourceTarget{Source: s.Source, Target: s.Target})
	}
	if o := i.OriginalValue; o != nil {
		p.OriginalValue = &hlopb.OriginalValue{IsSyntheticCall: o.SyntheticCall}
		setUnknown(p.OriginalValue, o.unknown)
		for _, e := range o.Elements {
			pe := &hlopb.OriginalValue_Element{ShapeIndex: e.ShapeIndex}
			if e.Known {
				pe.OriginalArray = &hlopb.OriginalValue_Array{InstructionName: e.Name, ShapeIndex: e.OriginalIndex}
			}
			p.OriginalValue.Elements = append(p.OriginalValue.Elements, pe)
		}
	}
}

func encodeReplicaGroups(p *hlopb.Instruction, g *ReplicaGroups) {
	if g == nil {
		return
	}
	list := mapSlice(g.List, func(ids []int64) *hlopb.ReplicaGroup { return &hlopb.ReplicaGroup{ReplicaIds: ids} })
	switch {
	case g.Mesh != nil:
		p.MeshAxesReplicaGroupList = &hlopb.MeshAxesReplicaGroups{Mesh: encodeMesh(&g.Mesh.Mesh), Axes: mapSlice(g.Mesh.Axes, encodeAxis)}
	case g.Iota != nil:
		p.IotaCollectiveDeviceList = &hlopb.IotaReplicaGroups{
			NumReplicaGroups: g.Iota.NumGroups, NumDevicesPerGroup: g.Iota.GroupSize,
			IotaReshapeDims: g.Iota.ReshapeDims, IotaTransposePerm: g.Iota.TransposePerm,
		}
	case g.InDeviceList:
		p.CollectiveDeviceList = &hlopb.CollectiveDeviceList{ReplicaGroups: list}
		return
	}
	p.ReplicaGroups = list
}

func encodeMesh(m *Mesh) *hlopb.Mesh {
	p := &hlopb.Mesh{
		Axes:      mapSlice(m.Axes, func(a MeshAxis) *hlopb.Mesh_Axis { return &hlopb.Mesh_Axis{Name: a.Name, Size: a.Size} }),
		DeviceIds: m.DeviceIDs,
	}
	if m.Iota != nil {
		p.IotaTransform = &hlopb.Mesh_Iota{ReshapeDims: m.Iota.ReshapeDims, TransposePerm: m.Iota.TransposePerm}
	}
	return p
}

func encodeAxis(a AxisRef) *hlopb.AxisRef {
	p := &hlopb.AxisRef{MeshAxisIndex: a.Axis}
	if a.Sub != nil {
		p.SubAxisInfo = &hlopb.AxisRef_SubAxis{PreSize: a.Sub.PreSize, Size: a.Sub.Size}
	}
	return p
}

func encodeSharding(s *Sharding) *hlopb.Sharding {
	if s == nil {
		return nil
	}
	p := &hlopb.Sharding{
		Type: int32(s.Type), TileAssignmentDimensions: s.TileDimensions, TileAssignmentDevices: s.TileDevices,
		TupleShardings: mapSlice(s.Tuple, encodeSharding), ReplicateOnLastTileDim: s.ReplicateOnLastTileDim,
		LastTileDims:    mapSlice(s.LastTileDims, func(t ShardingType) int32 { return int32(t) }),
		IotaReshapeDims: s.IotaReshapeDims, IotaTransposePerm: s.IotaTransposePerm,
		IsShardGroup: s.IsShardGroup, ShardGroupId: s.ShardGroupID, ShardGroupType: s.ShardGroupType,
		Metadata: encodeMetadatas(s.Metadata),
	}
	setUnknown(p, s.unknown)
	if s.TileShape != nil {
		p.TileShape = encodeShape(*s.TileShape)
	}
	if n := s.Named; n != nil {
		p.NamedSharding = &hlopb.NamedSharding{
			Mesh: encodeMesh(&n.Mesh),
			DimShardings: mapSlice(n.Dims, func(d NamedDim) *hlopb.NamedSharding_Dimension {
				return &hlopb.NamedSharding_Dimension{Axes: mapSlice(d.Axes, encodeAxis), IsClosed: d.Closed}
			}),
			ReplicatedAxes: mapSlice(n.ReplicatedAxes, encodeAxis), UnreducedAxes: mapSlice(n.UnreducedAxes, encodeAxis),
			ManualAxes: mapSlice(n.ManualAxes, encodeAxis), Metadata: encodeMetadatas(n.Metadata),
		}
		setUnknown(p.NamedSharding, n.unknown)
	}
	return p
}

func encodeMetadatas(in []OpMetadata) []*hlopb.OpMetadata {
	return mapSlice(in, func(m OpMetadata) *hlopb.OpMetadata { return encodeMetadata(&m) })
}

func encodeMetadata(m *OpMetadata) *hlopb.OpMetadata {
	p := &hlopb.OpMetadata{
		OpType: m.OpType, OpName: m.OpName, SourceFile: m.SourceFile, SourceLine: m.SourceLine,
		SourceEndLine: m.SourceEndLine, SourceColumn: m.SourceColumn, SourceEndColumn: m.SourceEndColumn,
		DeduplicatedName: m.DeduplicatedName, StackFrameId: m.StackFrameID, SchedulingName: m.SchedulingName,
		SizeOfGeneratedCodeInBytes: m.GeneratedCodeSize, SizeOfMemoryWorkingSetInBytes: m.WorkingSetSize,
		ProfileInfo: m.profileInfo,
	}
	setUnknown(p, m.unknown)
	return p
}
