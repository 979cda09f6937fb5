package hloconv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopherlo/xla/hlo"
	"gopherlo/xla/stablehlo"
)

// Shardy's attributes go to HLO twice: as text in frontend attributes, from
// which XLA reads them back, and, where they are simple, as HLO shardings
// (xla/service/spmd/shardy/sdy_round_trip).

// resultShardingOp marks a sharded result of main until it is exported.
const resultShardingOp = "gopherlo.func_result_sharding"

// meshes is the module's frontend attribute that declares its meshes. A mesh
// equal to one before it is left out: JAX makes a second for collectives.
func meshes(m *stablehlo.Module) string {
	var parts, seen []string
	for _, d := range m.Meshes {
		if !slices.Contains(seen, d.Text) {
			seen = append(seen, d.Text)
			parts = append(parts, d.Name+" = #sdy.mesh<"+d.Text+">")
		}
	}
	if parts == nil {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// shardyAttrs are an op's frontend attributes with its sharding rule.
func shardyAttrs(o *op) map[string]string {
	r, ok := o.attrs.Get("sdy.sharding_rule").(stablehlo.Raw)
	if !ok {
		return o.frontend
	}
	m := cloneMap(o.frontend)
	if m == nil {
		m = map[string]string{}
	}
	m["xla.sdy.sharding_rule"] = string(r)
	return m
}

// argShardings sets the shardings of a function's parameters.
func (c *comp) argShardings(f *fn) error {
	for i, a := range f.src.ArgAttrs {
		text, ok := a.Get("sdy.sharding").(stablehlo.Raw)
		if !ok || i >= len(c.ins) {
			continue
		}
		c.ins[i].FrontendAttributes = map[string]string{"xla.sdy.sharding": string(text)}
		s, err := c.sharding(inAngles(string(text)))
		if err != nil {
			return err
		}
		c.ins[i].Sharding = s
	}
	return nil
}

// inAngles cuts #sdy.sharding from #sdy.sharding<...>.
func inAngles(s string) string {
	i := strings.IndexByte(s, '<')
	if i < 0 || !strings.HasSuffix(s, ">") {
		return ""
	}
	return s[i:]
}

// sharding makes an HLO sharding of <@mesh, [{"x"}, {}]>. Shardings with open
// dimensions, parts of axes or priorities give nil: XLA takes those from the
// frontend attribute.
func (c *comp) sharding(text string) (*hlo.Sharding, error) {
	name, dims, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(text, "<@"), ">"), ", ")
	if !ok || !strings.HasPrefix(dims, "[") || !strings.HasSuffix(dims, "]") {
		return nil, fmt.Errorf("sharding %q is not of the form <@mesh, [...]>", text)
	}
	axes, err := c.mesh(name)
	if err != nil {
		return nil, err
	}
	var tile, order []int64
	used := make([]bool, len(axes))
	for _, d := range splitDims(dims[1 : len(dims)-1]) {
		n := int64(1)
		for _, a := range d {
			i := slices.IndexFunc(axes, func(x meshAxis) bool { return x.name == a })
			if i < 0 || used[i] {
				return nil, nil
			}
			used[i] = true
			n *= axes[i].size
			order = append(order, int64(i))
		}
		tile = append(tile, n)
	}
	return tiled(axes, tile, order, used), nil
}

// tiled is the HLO sharding of tiles whose devices go along the axes of order.
func tiled(axes []meshAxis, tile, order []int64, used []bool) *hlo.Sharding {
	rest, shared := int64(1), false
	for i, a := range axes {
		if !used[i] {
			order = append(order, int64(i))
			rest *= a.size
			shared = true
		}
	}
	if !slices.ContainsFunc(tile, func(n int64) bool { return n > 1 }) {
		return &hlo.Sharding{Type: hlo.ShardingReplicated}
	}
	s := &hlo.Sharding{Type: hlo.ShardingOther, TileDimensions: tile}
	if shared && rest > 1 {
		s.TileDimensions = append(s.TileDimensions, rest)
		s.ReplicateOnLastTileDim = true
	}
	s.IotaReshapeDims, s.IotaTransposePerm = canonicalIota(axes, order)
	return s
}

// canonicalIota joins the axes that stay neighbours (IotaTileAssignment's
// CanonicalizeIotaDims).
func canonicalIota(axes []meshAxis, order []int64) ([]int64, []int32) {
	var kept []int64
	for _, a := range order {
		if axes[a].size > 1 {
			kept = append(kept, a)
		}
	}
	type run struct{ first, size int64 }
	var runs []run
	prev := int64(-2)
	for _, a := range kept {
		if a == prev+1 {
			runs[len(runs)-1].size *= axes[a].size
		} else {
			runs = append(runs, run{a, axes[a].size})
		}
		prev = a
	}
	sorted := slices.Clone(runs)
	slices.SortFunc(sorted, func(a, b run) int { return int(a.first - b.first) })
	dims, perm := make([]int64, len(runs)), make([]int32, len(runs))
	for i, r := range sorted {
		dims[i] = r.size
		perm[slices.Index(runs, r)] = int32(i)
	}
	return dims, perm
}

// splitDims reads {"x", "y"}, {} into the axes of each dimension.
func splitDims(s string) [][]string {
	var out [][]string
	for s != "" {
		open, end := strings.IndexByte(s, '{'), strings.IndexByte(s, '}')
		if open != 0 || end < 0 {
			return append(out, []string{s})
		}
		var axes []string
		for _, a := range strings.Split(s[1:end], ", ") {
			if a != "" && a != "?" {
				axes = append(axes, strings.Trim(a, `"`))
			}
		}
		out = append(out, axes)
		s = strings.TrimPrefix(s[end+1:], ", ")
	}
	return out
}

type meshAxis struct {
	name string
	size int64
}

// mesh reads the axes of a mesh: ["x"=2, "y"=4].
func (c *comp) mesh(name string) ([]meshAxis, error) {
	for _, d := range c.g.src.Meshes {
		if d.Name != name {
			continue
		}
		var axes []meshAxis
		for _, p := range strings.Split(strings.Trim(d.Text, "[]"), ", ") {
			n, size, ok := strings.Cut(p, "=")
			if !ok {
				continue
			}
			v, err := strconv.ParseInt(size, 10, 64)
			if err != nil || v < 1 {
				return nil, fmt.Errorf("mesh %s: bad size %q", name, size)
			}
			axes = append(axes, meshAxis{strings.Trim(n, `"`), v})
		}
		return axes, nil
	}
	return nil, fmt.Errorf("mesh %s is not defined", name)
}

func resultShardings(f *stablehlo.Func) bool {
	return slices.ContainsFunc(f.ResultAttrs, func(a stablehlo.Attrs) bool { return a.Get("sdy.sharding") != nil })
}

// exportShardings marks main's sharded results after the ops that make them.
func exportShardings(f *fn) error {
	if f.src.Name != "main" {
		return nil
	}
	for i, a := range f.src.ResultAttrs {
		text, ok := a.Get("sdy.sharding").(stablehlo.Raw)
		if !ok || i >= len(f.body.last.operands) {
			continue
		}
		u := f.body.last.operands[i]
		n := &op{name: resultShardingOp}
		n.attrs.Set("sharding", stablehlo.String(inAngles(string(text))))
		next := f.body.first
		if d := u.val.def; d != nil {
			n.loc, next = d.loc, d.next
		}
		n.setOperands([]*value{u.val})
		out := n.addResult(u.val.typ)
		f.body.insertBefore(n, next)
		u.set(out)
	}
	return nil
}

// emitResultSharding adds the custom call that carries a result's sharding.
func emitResultSharding(c *comp, o *op) error {
	text, _ := o.attrs.Get("sharding").(stablehlo.String)
	in, err := c.shardingCall(o, "xla.sdy.FuncResultSharding", string(text))
	if err == nil {
		in.CustomCallSideEffect = true
	}
	return err
}

// emitConstraint adds the custom call of a sharding constraint.
func emitConstraint(c *comp, o *op) error {
	text, _ := o.attrs.Get("sharding").(stablehlo.Raw)
	in, err := c.shardingCall(o, "Sharding", string(text))
	if err != nil {
		return err
	}
	in.Sharding, err = c.sharding(string(text))
	return err
}

func (c *comp) shardingCall(o *op, target, text string) (*hlo.Instruction, error) {
	ins, err := c.operands(o.inputs())
	if err != nil {
		return nil, err
	}
	if len(ins) != 1 || len(o.results) != 1 {
		return nil, fmt.Errorf("needs one operand and one result")
	}
	c.frontend = map[string]string{"xla.sdy.sharding": "#sdy.sharding_per_value<[" + text + "]>"}
	in := c.add(hlo.OpCustomCall, ins[0].Shape.Clone(), ins...)
	in.CustomCallTarget, in.CustomCallAPIVersion = target, hlo.APIVersionOriginal
	c.vals[o.out()] = in
	return in, nil
}

// shardedRoot returns main's results with their shardings: one through a tuple
// of its own, several in a tuple.
func (c *comp) shardedRoot(ins []*hlo.Instruction) error {
	attrs := c.g.fn("main").src.ResultAttrs
	all := make([]*hlo.Sharding, len(ins))
	for i := range ins {
		all[i] = &hlo.Sharding{Type: hlo.ShardingReplicated}
		if i >= len(attrs) {
			continue
		}
		if text, ok := attrs[i].Get("sdy.sharding").(stablehlo.Raw); ok {
			s, err := c.sharding(inAngles(string(text)))
			if err != nil {
				return err
			}
			if s != nil {
				all[i] = s
			}
		}
	}
	if len(ins) == 1 {
		c.ret = c.element(c.tuple(ins), 0)
		c.ret.Sharding = all[0]
		return nil
	}
	for i, in := range ins {
		c.add(hlo.OpReshape, in.Shape.Clone(), in).Sharding = all[i]
	}
	c.ret = c.tuple(ins)
	c.ret.Sharding = &hlo.Sharding{Type: hlo.ShardingTuple, Tuple: all}
	return nil
}
