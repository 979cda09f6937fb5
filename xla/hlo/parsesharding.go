package hlo

// ParseSharding reads a sharding as Sharding.String prints it.
func ParseSharding(s string) (sh *Sharding, err error) {
	defer recoverParse(&err)
	p := &scanner{s: s}
	sh = p.sharding()
	if p.peek() != 0 {
		p.fail(p.at, "expected the end of the sharding, found %s", p.found())
	}
	return sh, nil
}

func (p *scanner) sharding() *Sharding {
	p.enter()
	defer p.leave()
	p.expect("{")
	s := &Sharding{}
	if c := p.peek(); c == '{' || c == '}' {
		s.Type = ShardingTuple
		p.until("}", func() { s.Tuple = append(s.Tuple, p.sharding()) })
		return s
	}
	switch p.ahead() {
	case "mesh", "single_device", "maximal_mesh":
		s.Named = p.namedSharding()
		return s
	}
	for !p.accept("}") {
		p.shardingPart(s)
	}
	return s
}

func (p *scanner) shardingPart(s *Sharding) {
	p.skip()
	start := p.at
	switch w := p.word("a sharding"); w {
	case "replicated":
		s.Type = ShardingReplicated
	case "manual":
		s.Type = ShardingManual
	case "unknown":
		s.Type = ShardingUnknown
	case "unreduced":
		s.Type = ShardingUnreduced
	case "maximal":
		s.Type = ShardingMaximal
	case "device":
		p.expect("=")
		s.TileDimensions, s.TileDevices = nil, []int64{p.int()}
	case "devices":
		p.expect("=")
		s.Type = ShardingOther
		p.tileAssignment(s)
	case "last_tile_dim_replicate":
		s.ReplicateOnLastTileDim = true
	case "last_tile_dims":
		p.expect("=")
		p.expect("{")
		p.until("}", func() { s.LastTileDims = append(s.LastTileDims, p.subgroup()) })
		if len(s.LastTileDims) == 1 && s.LastTileDims[0] == ShardingReplicated {
			s.LastTileDims, s.ReplicateOnLastTileDim = nil, true // XLA writes this so
		}
	case "shard_as", "shard_like":
		s.IsShardGroup = true
		if w == "shard_like" {
			s.ShardGroupType = 1
		}
		s.ShardGroupID = p.int()
	case "metadata":
		p.expect("=")
		s.Metadata = p.metadatas()
	default:
		p.fail(start, "unknown part of a sharding %q", w)
	}
}

// metadatas reads {op_name="a"} or {{op_name="a"}, {op_name="b"}}.
func (p *scanner) metadatas() (all []OpMetadata) {
	at := p.at
	p.expect("{")
	if p.peek() != '{' {
		p.at = at
		return []OpMetadata{p.metadata()}
	}
	p.until("}", func() { all = append(all, p.metadata()) })
	return all
}

func (p *scanner) subgroup() ShardingType {
	p.skip()
	start := p.at
	w := p.word("a kind of sharding")
	for t, n := range shardingNames {
		if n == w {
			return t
		}
	}
	p.fail(start, "unknown kind of sharding %q", w)
	return 0
}

func (p *scanner) tileAssignment(s *Sharding) {
	s.TileDimensions = p.ints("[", "]")
	if p.accept("<=") {
		s.IotaReshapeDims = p.ints("[", "]")
		s.IotaTransposePerm = p.permutation(len(s.IotaReshapeDims))
		return
	}
	for {
		s.TileDevices = append(s.TileDevices, p.int())
		if !p.accept(",") {
			return
		}
	}
}

// permutation reads T(1,0), or nothing for the identity of n.
func (p *scanner) permutation(n int) []int32 {
	var perm []int32
	if !p.glued("T") {
		for i := range n {
			perm = append(perm, int32(i))
		}
		return perm
	}
	p.expect("(")
	p.until(")", func() { perm = append(perm, p.int32()) })
	return perm
}

func (p *scanner) mesh() Mesh {
	var m Mesh
	switch p.word("a mesh") {
	case "single_device", "maximal_mesh":
		p.expect("[")
		p.expect("device_id")
		p.expect("=")
		m.DeviceIDs = []int64{p.int()}
		p.expect("]")
		return m
	}
	p.expect("[")
	p.until("]", func() {
		a := MeshAxis{Name: p.text()}
		p.expect("=")
		a.Size = p.int()
		m.Axes = append(m.Axes, a)
	})
	at := p.at
	if p.accept(",") && p.ahead() == "device_ids" {
		p.word("device_ids")
		p.expect("=")
		p.deviceIDs(&m)
	} else {
		p.at = at
	}
	return m
}

// deviceIDs reads (1,0), or ([2,2]T(1,0)) for a transposed iota.
func (p *scanner) deviceIDs(m *Mesh) {
	at := p.at
	p.expect("(")
	if p.peek() != '[' {
		p.at = at
		m.DeviceIDs = p.ints("(", ")")
		return
	}
	dims := p.ints("[", "]")
	if p.peek() == 'T' {
		p.expect("T")
		m.Iota = &MeshIota{ReshapeDims: dims, TransposePerm: p.ints("(", ")")}
	}
	p.expect(")")
}

// axes reads {'x', 'y':(1)2}; open says that "?" stood at the end.
func (p *scanner) axes(m *Mesh) (axes []AxisRef, open bool) {
	p.expect("{")
	p.until("}", func() {
		if p.accept("?") {
			open = true
			return
		}
		p.skip()
		start := p.at
		name := p.text()
		a := AxisRef{Axis: -1}
		for k := range m.Axes {
			if m.Axes[k].Name == name {
				a.Axis = int64(k)
			}
		}
		if a.Axis < 0 {
			p.fail(start, "the mesh has no axis %q", name)
		}
		if p.accept(":") {
			p.expect("(")
			a.Sub = &SubAxis{PreSize: p.int()}
			p.expect(")")
			a.Sub.Size = p.int()
		}
		axes = append(axes, a)
	})
	return axes, open
}

func (p *scanner) namedSharding() *NamedSharding {
	n := &NamedSharding{Mesh: p.mesh()}
	all := func() (axes []AxisRef) {
		for k := range n.Mesh.Axes {
			axes = append(axes, AxisRef{Axis: int64(k)})
		}
		return axes
	}
	for p.accept(",") {
		if p.accept("[") {
			p.until("]", func() {
				axes, open := p.axes(&n.Mesh)
				n.Dims = append(n.Dims, NamedDim{axes, !open})
			})
			continue
		}
		p.skip()
		start := p.at
		w := p.word("a part of a sharding")
		listed := p.accept("=")
		if w == "metadata" && listed {
			n.Metadata = p.metadatas()
			continue
		}
		var axes []AxisRef
		if listed {
			axes, _ = p.axes(&n.Mesh)
		} else if w != "replicated" {
			axes = all()
		}
		switch w {
		case "replicated":
			n.ReplicatedAxes = axes
		case "unreduced":
			n.UnreducedAxes = axes
		case "manual":
			n.ManualAxes = axes
		default:
			p.fail(start, "unknown part of a sharding %q", w)
		}
	}
	p.expect("}")
	return n
}

func (p *scanner) replicaGroups() *ReplicaGroups {
	g := &ReplicaGroups{}
	switch p.peek() {
	case '{':
		g.InDeviceList = true
		p.expect("{")
		p.until("}", func() { g.List = append(g.List, p.ints("{", "}")) })
	case '[':
		p.expect("[")
		g.Iota = &IotaGroups{NumGroups: p.int()}
		p.expect(",")
		g.Iota.GroupSize = p.int()
		p.expect("]")
		p.expect("<=")
		g.Iota.ReshapeDims = p.ints("[", "]")
		g.Iota.TransposePerm = p.permutation(len(g.Iota.ReshapeDims))
	default:
		g.Mesh = &MeshGroups{Mesh: p.mesh()}
		g.Mesh.Axes, _ = p.axes(&g.Mesh.Mesh)
	}
	return g
}
