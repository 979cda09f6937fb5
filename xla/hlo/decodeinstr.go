package hlo

import "gopherlo/xla/hlo/hlopb"

// decodeInstruction reads everything but operands, called computations and the literal.
func decodeInstruction(p *hlopb.Instruction) *Instruction {
	i := &Instruction{
		ID: p.Id, Name: p.Name, Opcode: Opcode(p.Opcode), Shape: decodeShape(p.Shape),
		FrontendAttributes: p.FrontendAttributes.GetMap(),
		Sharding:           decodeSharding(p.Sharding), BackendConfig: string(p.BackendConfig),
		ParameterNumber: p.ParameterNumber, TupleIndex: p.TupleIndex,
		Dimensions: p.Dimensions, IsStable: p.IsStable, DynamicSizes: p.DynamicSliceSizes,
		GatherSliceSizes:  p.GatherSliceSizes,
		FeatureGroupCount: p.FeatureGroupCount, BatchGroupCount: p.BatchGroupCount,
		IndicesAreSorted: p.IndicesAreSorted, UniqueIndices: p.UniqueIndices,
		ComparisonDirection: p.ComparisonDirection, ComparisonOrder: p.ComparisonOrder, ComparisonType: p.ComparisonType,
		FFTType: FFTType(p.FftType), FFTLength: p.FftLength,
		ExponentBits: p.ExponentBits, MantissaBits: p.MantissaBits,
		Distribution: RandomDistribution(p.Distribution), RngAlgorithm: RandomAlgorithm(p.RngAlgorithm), Delta: p.Delta,
		K: p.K, Largest: p.Largest, Epsilon: p.Epsilon, FeatureIndex: p.FeatureIndex,
		FusionKind: p.FusionKind, IsComposite: p.IsComposite,
		CustomCallTarget: p.CustomCallTarget, CustomCallSideEffect: p.CustomCallHasSideEffect,
		CustomCallSchedule:   CustomCallSchedule(p.CustomCallSchedule),
		CustomCallAPIVersion: CustomCallAPIVersion(p.CustomCallApiVersion),
		ConstrainLayout:      p.ConstrainLayout, OperandShapes: mapSlice(p.OperandShapesWithLayout, decodeShape),
		PaddingType: PaddingType(p.PaddingType),
		ChannelID:   p.ChannelId, UseGlobalDeviceIDs: p.UseGlobalDeviceIds, AllReduceID: p.AllReduceId,
		IsHostTransfer: p.IsHostTransfer, InfeedConfig: string(p.InfeedConfig), OutfeedConfig: string(p.OutfeedConfig),
		DomainEntrySharding: decodeSharding(p.DomainEntrySharding), DomainExitSharding: decodeSharding(p.DomainExitSharding),
		ParameterReplicated:       p.ParameterReplication.GetReplicatedAtLeafBuffers(),
		AsyncExecutionThread:      p.AsyncExecutionThread,
		IsCrossProgramPrefetch:    p.IsCrossProgramPrefetch,
		CrossProgramPrefetchIndex: p.CrossProgramPrefetchIndex,
		HasDynamicRoot:            p.HasDynamicRoot, IsReverse: p.IsReverse, NumCarries: p.NumCarries,
		IsAssociative: p.IsAssociative, ConvKind: p.ConvKind,
		unknown: unknownOf(p),
	}
	if p.Metadata != nil {
		i.Metadata = decodeMetadata(p.Metadata)
	}
	if p.OutfeedShape != nil {
		s := decodeShape(p.OutfeedShape)
		i.OutfeedShape = &s
	}
	decodeDimensionAttrs(i, p)
	decodeOptionAttrs(i, p)
	i.ReplicaGroups = decodeReplicaGroups(p)
	return i
}

func decodeDimensionAttrs(i *Instruction, p *hlopb.Instruction) {
	for _, s := range p.SliceDimensions {
		i.SliceDimensions = append(i.SliceDimensions, SliceDimension{s.Start, s.Limit, s.Stride})
	}
	for _, d := range p.PaddingConfig.GetDimensions() {
		i.Padding = append(i.Padding, PaddingDimension{d.EdgePaddingLow, d.EdgePaddingHigh, d.InteriorPadding})
	}
	for _, d := range p.Window.GetDimensions() {
		i.Window = append(i.Window, WindowDimension{d.Size, d.Stride, d.PaddingLow, d.PaddingHigh, d.WindowDilation, d.BaseDilation, d.WindowReversal})
	}
	if d := p.ConvolutionDimensionNumbers; d != nil {
		i.ConvDimensions = &ConvDimensions{
			d.InputBatchDimension, d.InputFeatureDimension, d.InputSpatialDimensions,
			d.KernelInputFeatureDimension, d.KernelOutputFeatureDimension, d.KernelSpatialDimensions,
			d.OutputBatchDimension, d.OutputFeatureDimension, d.OutputSpatialDimensions,
		}
	}
	if d := p.DotDimensionNumbers; d != nil {
		dims := decodeDot(d)
		i.DotDimensions = &dims
	}
	if d := p.RaggedDotDimensionNumbers; d != nil {
		i.RaggedDot = &RaggedDotDimensions{decodeDot(d.DotDimensionNumbers), d.LhsRaggedDimensions, d.RhsGroupDimensions}
	}
	if d := p.GatherDimensionNumbers; d != nil {
		i.GatherDimensions = &GatherDimensions{d.OffsetDims, d.CollapsedSliceDims, d.StartIndexMap, d.IndexVectorDim, d.OperandBatchingDims, d.StartIndicesBatchingDims}
	}
	if d := p.ScatterDimensionNumbers; d != nil {
		i.ScatterDims = &ScatterDimensions{d.UpdateWindowDims, d.InsertedWindowDims, d.ScatterDimsToOperandDims, d.IndexVectorDim, d.InputBatchingDims, d.ScatterIndicesBatchingDims}
	}
	for _, a := range p.OutputOperandAliasing {
		i.OutputOperandAliasing = append(i.OutputOperandAliasing, OutputOperandAliasing{a.OutputShapeIndex, a.OperandIndex, a.OperandShapeIndex})
	}
}

func decodeDot(d *hlopb.DotDimensions) DotDimensions {
	return DotDimensions{
		d.GetLhsContractingDimensions(), d.GetRhsContractingDimensions(),
		d.GetLhsBatchDimensions(), d.GetRhsBatchDimensions(),
	}
}

func decodeOptionAttrs(i *Instruction, p *hlopb.Instruction) {
	if c := p.PrecisionConfig; c != nil {
		i.Precision = &PrecisionConfig{
			mapSlice(c.OperandPrecision, func(n int32) Precision { return Precision(n) }),
			DotAlgorithm(c.Algorithm),
		}
	}
	if c := p.CholeskyOptions; c != nil {
		i.Cholesky = &CholeskyOptions{c.Lower}
	}
	if t := p.TriangularSolveOptions; t != nil {
		i.TriangularSolve = &TriangularSolveOptions{t.LeftSide, t.Lower, t.UnitDiagonal, Transpose(t.TransposeA)}
	}
	switch a := p.ResultAccuracy.GetSpecs().(type) {
	case *hlopb.ResultAccuracy_Mode:
		i.ResultAccuracy = &ResultAccuracy{Mode: a.Mode}
	case *hlopb.ResultAccuracy_Tolerance_:
		t := a.Tolerance
		i.ResultAccuracy = &ResultAccuracy{Tolerance: &Tolerance{t.GetAtol(), t.GetRtol(), t.GetUlps()}}
	}
	for _, s := range p.SourceTargetPairs {
		i.SourceTargetPairs = append(i.SourceTargetPairs, SourceTarget{s.Source, s.Target})
	}
	if o := p.OriginalValue; o != nil {
		i.OriginalValue = &OriginalValue{SyntheticCall: o.IsSyntheticCall, unknown: unknownOf(o)}
		for _, e := range o.Elements {
			i.OriginalValue.Elements = append(i.OriginalValue.Elements, OriginalElement{
				ShapeIndex: e.ShapeIndex, Known: e.OriginalArray != nil,
				Name: e.OriginalArray.GetInstructionName(), OriginalIndex: e.OriginalArray.GetShapeIndex(),
			})
		}
	}
}

func decodeReplicaGroups(p *hlopb.Instruction) *ReplicaGroups {
	ids := func(g *hlopb.ReplicaGroup) []int64 { return g.ReplicaIds }
	g := &ReplicaGroups{List: mapSlice(p.ReplicaGroups, ids)}
	if l := p.CollectiveDeviceList; l != nil {
		g.List, g.InDeviceList = mapSlice(l.ReplicaGroups, ids), true
	}
	if l := p.IotaCollectiveDeviceList; l != nil {
		g.Iota = &IotaGroups{l.NumReplicaGroups, l.NumDevicesPerGroup, l.IotaReshapeDims, l.IotaTransposePerm}
	}
	if l := p.MeshAxesReplicaGroupList; l != nil {
		g.Mesh = &MeshGroups{decodeMesh(l.Mesh), mapSlice(l.Axes, decodeAxis)}
	}
	if g.List == nil && !g.InDeviceList && g.Iota == nil && g.Mesh == nil {
		return nil
	}
	return g
}

func decodeMesh(p *hlopb.Mesh) Mesh {
	m := Mesh{
		Axes:      mapSlice(p.GetAxes(), func(a *hlopb.Mesh_Axis) MeshAxis { return MeshAxis{a.Name, a.Size} }),
		DeviceIDs: p.GetDeviceIds(),
	}
	if t := p.GetIotaTransform(); t != nil {
		m.Iota = &MeshIota{t.ReshapeDims, t.TransposePerm}
	}
	return m
}

func decodeAxis(p *hlopb.AxisRef) AxisRef {
	a := AxisRef{Axis: p.MeshAxisIndex}
	if s := p.SubAxisInfo; s != nil {
		a.Sub = &SubAxis{s.PreSize, s.Size}
	}
	return a
}

func decodeSharding(p *hlopb.Sharding) *Sharding {
	if p == nil {
		return nil
	}
	s := &Sharding{
		Type: ShardingType(p.Type), TileDimensions: p.TileAssignmentDimensions, TileDevices: p.TileAssignmentDevices,
		Tuple: mapSlice(p.TupleShardings, decodeSharding), ReplicateOnLastTileDim: p.ReplicateOnLastTileDim,
		LastTileDims:    mapSlice(p.LastTileDims, func(n int32) ShardingType { return ShardingType(n) }),
		IotaReshapeDims: p.IotaReshapeDims, IotaTransposePerm: p.IotaTransposePerm,
		IsShardGroup: p.IsShardGroup, ShardGroupID: p.ShardGroupId, ShardGroupType: p.ShardGroupType,
		Metadata: mapSlice(p.Metadata, decodeMetadata), unknown: unknownOf(p),
	}
	if p.TileShape != nil {
		t := decodeShape(p.TileShape)
		s.TileShape = &t
	}
	if n := p.NamedSharding; n != nil {
		s.Named = &NamedSharding{
			Mesh: decodeMesh(n.Mesh),
			Dims: mapSlice(n.DimShardings, func(d *hlopb.NamedSharding_Dimension) NamedDim {
				return NamedDim{mapSlice(d.Axes, decodeAxis), d.IsClosed}
			}),
			ReplicatedAxes: mapSlice(n.ReplicatedAxes, decodeAxis), UnreducedAxes: mapSlice(n.UnreducedAxes, decodeAxis),
			ManualAxes: mapSlice(n.ManualAxes, decodeAxis), Metadata: mapSlice(n.Metadata, decodeMetadata),
			unknown: unknownOf(n),
		}
	}
	return s
}

func decodeMetadata(p *hlopb.OpMetadata) OpMetadata {
	return OpMetadata{
		OpType: p.OpType, OpName: p.OpName, SourceFile: p.SourceFile, SourceLine: p.SourceLine,
		SourceEndLine: p.SourceEndLine, SourceColumn: p.SourceColumn, SourceEndColumn: p.SourceEndColumn,
		DeduplicatedName: p.DeduplicatedName, StackFrameID: p.StackFrameId, SchedulingName: p.SchedulingName,
		GeneratedCodeSize: p.SizeOfGeneratedCodeInBytes, WorkingSetSize: p.SizeOfMemoryWorkingSetInBytes,
		profileInfo: p.ProfileInfo, unknown: unknownOf(p),
	}
}
