package hlo

// String returns s as it stands in HLO text: "{devices=[2,1]<=[2]}".
func (s *Sharding) String() string {
	p := &printer{}
	p.sharding(s)
	return string(p.b)
}

func (p *printer) sharding(s *Sharding) {
	if s.Named != nil {
		p.namedSharding(s.Named)
		return
	}
	p.byte('{')
	switch s.Type {
	case ShardingTuple:
		for i, t := range s.Tuple {
			p.b = appendListComma(p.b, i)
			p.sharding(t)
		}
		p.byte('}')
		return
	case ShardingMaximal:
		p.str("maximal device=")
		if len(s.TileDevices) > 0 {
			p.int(s.TileDevices[0])
		} else {
			p.int(0)
		}
	case ShardingOther:
		p.tiles(s)
	default:
		p.str(shardingNames[s.Type])
	}
	if s.IsShardGroup {
		p.str(" shard_as ")
		if s.ShardGroupType == 1 {
			p.b = append(p.b[:len(p.b)-len("as ")], "like "...)
		}
		p.int(s.ShardGroupID)
	}
	if p.Metadata && len(s.Metadata) > 0 {
		p.str(" metadata=")
		if len(s.Metadata) == 1 {
			p.oneMetadata(&s.Metadata[0])
		} else {
			p.metadatas(s.Metadata)
		}
	}
	p.byte('}')
}

func (p *printer) metadatas(all []OpMetadata) {
	p.byte('{')
	for i := range all {
		if i > 0 {
			p.str(", ")
		}
		p.oneMetadata(&all[i])
	}
	p.byte('}')
}

func (p *printer) oneMetadata(m *OpMetadata) {
	p.byte('{')
	p.metadata(m)
	p.byte('}')
}

var shardingNames = map[ShardingType]string{
	ShardingReplicated: "replicated", ShardingMaximal: "maximal", ShardingManual: "manual",
	ShardingUnknown: "unknown", ShardingUnreduced: "unreduced",
}

func (p *printer) tiles(s *Sharding) {
	p.str("devices=[")
	p.b = appendInts(p.b, s.TileDimensions, ",")
	p.byte(']')
	if len(s.IotaReshapeDims) > 0 {
		p.str("<=[")
		p.b = appendInts(p.b, s.IotaReshapeDims, ",")
		p.byte(']')
		if len(s.IotaReshapeDims) > 1 {
			p.permutation(s.IotaTransposePerm)
		}
	} else {
		p.b = appendInts(p.b, s.TileDevices, ",")
	}
	if s.ReplicateOnLastTileDim {
		p.str(" last_tile_dim_replicate")
	}
	if len(s.LastTileDims) > 0 {
		p.str(" last_tile_dims={")
		for i, t := range s.LastTileDims {
			if i > 0 {
				p.str(", ")
			}
			p.str(shardingNames[t])
		}
		p.byte('}')
	}
}

// permutation prints T(1,0), nothing for the identity.
func (p *printer) permutation(perm []int32) {
	identity := true
	for i, d := range perm {
		identity = identity && int(d) == i
	}
	if identity {
		return
	}
	p.str("T(")
	p.b = appendInts(p.b, perm, ",")
	p.byte(')')
}

func (p *printer) mesh(m *Mesh) {
	if len(m.Axes) == 0 && len(m.DeviceIDs) == 1 {
		p.str("single_device[device_id=")
		p.int(m.DeviceIDs[0])
		p.byte(']')
		return
	}
	p.str("mesh[")
	for i, a := range m.Axes {
		if i > 0 {
			p.byte(',')
		}
		p.byte('\'')
		p.str(a.Name)
		p.str("'=")
		p.int(a.Size)
	}
	p.byte(']')
	switch {
	case m.Iota != nil:
		p.str(", device_ids=([")
		p.b = appendInts(p.b, m.Iota.ReshapeDims, ",")
		p.str("]T(")
		p.b = appendInts(p.b, m.Iota.TransposePerm, ",")
		p.str("))")
	case len(m.DeviceIDs) > 0:
		p.str(", device_ids=(")
		p.b = appendInts(p.b, m.DeviceIDs, ",")
		p.byte(')')
	}
}

func (p *printer) axes(m *Mesh, axes []AxisRef, sep string) {
	p.byte('{')
	for i, a := range axes {
		if i > 0 {
			p.str(sep)
		}
		p.byte('\'')
		if a.Axis >= 0 && a.Axis < int64(len(m.Axes)) {
			p.str(m.Axes[a.Axis].Name)
		} else {
			p.int(a.Axis)
		}
		p.byte('\'')
		if a.Sub != nil {
			p.str(":(")
			p.int(a.Sub.PreSize)
			p.byte(')')
			p.int(a.Sub.Size)
		}
	}
	p.byte('}')
}

func (p *printer) namedSharding(n *NamedSharding) {
	p.byte('{')
	p.mesh(&n.Mesh)
	if len(n.Mesh.Axes) == 0 && len(n.Mesh.DeviceIDs) == 1 {
		p.byte('}')
		return
	}
	none := len(n.Dims) == 0 && len(n.ReplicatedAxes) == 0
	switch {
	case none && len(n.UnreducedAxes)+len(n.ManualAxes) == 0:
		p.str(", replicated}")
		return
	case none && len(n.ManualAxes) == 0 && n.Mesh.isAll(n.UnreducedAxes):
		p.str(", unreduced}")
		return
	case none && len(n.UnreducedAxes) == 0 && n.Mesh.isAll(n.ManualAxes):
		p.str(", manual}")
		return
	}
	p.str(", [")
	for i, d := range n.Dims {
		if i > 0 {
			p.str(", ")
		}
		p.axes(&n.Mesh, d.Axes, ", ")
		if !d.Closed {
			p.b = p.b[:len(p.b)-1]
			if len(d.Axes) > 0 {
				p.str(", ")
			}
			p.str("?}")
		}
	}
	p.byte(']')
	list := func(key string, axes []AxisRef) {
		if len(axes) > 0 {
			p.attr(key)
			p.axes(&n.Mesh, axes, ", ")
		}
	}
	list("replicated", n.ReplicatedAxes)
	list("unreduced", n.UnreducedAxes)
	list("manual", n.ManualAxes)
	if p.Metadata && len(n.Metadata) > 0 {
		p.attr("metadata")
		p.metadatas(n.Metadata)
	}
	p.byte('}')
}

// isAll reports whether axes are all axes of m, in order.
func (m *Mesh) isAll(axes []AxisRef) bool {
	if len(axes) != len(m.Axes) {
		return false
	}
	for i, a := range axes {
		if a.Axis != int64(i) || a.Sub != nil {
			return false
		}
	}
	return true
}

func (p *printer) replicaGroups(g *ReplicaGroups) {
	switch {
	case g == nil:
		p.str("{}")
	case g.Mesh != nil:
		p.mesh(&g.Mesh.Mesh)
		p.byte(' ')
		p.axes(&g.Mesh.Mesh, g.Mesh.Axes, ",")
	case g.Iota != nil:
		p.byte('[')
		p.int(g.Iota.NumGroups)
		p.byte(',')
		p.int(g.Iota.GroupSize)
		p.str("]<=[")
		p.b = appendInts(p.b, g.Iota.ReshapeDims, ",")
		p.byte(']')
		p.permutation(g.Iota.TransposePerm)
	default:
		p.byte('{')
		for i, l := range g.List {
			if i > 0 {
				p.byte(',')
			}
			p.list(l)
		}
		p.byte('}')
	}
}
