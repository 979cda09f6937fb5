package hlocost

import "gopherlo/xla/hlo"

// fusion costs what its computation does, but touches memory for its operands
// and results only.
func fusion(a *analysis, i *hlo.Instruction, _ Properties) Properties {
	p := a.called(i, 0).clone()
	if len(i.Called) == 0 || i.Called[0] == nil {
		return p
	}
	body := i.Called[0]
	p[BytesAccessed] = fusionOutputs(i.Shape, body.Root, p)
	users := map[*hlo.Instruction][]*hlo.Instruction{}
	var params []*hlo.Instruction
	for _, inner := range body.Instructions {
		for _, o := range inner.Operands {
			if n := len(users[o]); n == 0 || users[o][n-1] != inner {
				users[o] = append(users[o], inner)
			}
		}
		if inner.Opcode == hlo.OpParameter {
			params = append(params, inner)
		}
	}
	for _, param := range params {
		read := parameterBytes(param, users)
		p[operandBytes(int(param.ParameterNumber))] = read
		p[operandUtilization(int(param.ParameterNumber))] = 1
		p[BytesAccessed] += read
	}
	return p
}

// fusionOutputs gives the bytes written, and sets them by output.
func fusionOutputs(s hlo.Shape, root *hlo.Instruction, p Properties) float64 {
	written := func(s hlo.Shape, by *hlo.Instruction) float64 {
		if by != nil && by.Opcode == hlo.OpDynamicUpdateSlice {
			return sizeOf(by, 1) // in place
		}
		return size(s)
	}
	if !s.IsTuple() {
		p[outputBytes()] = written(s, root)
		return p[outputBytes()]
	}
	total := 0.0
	for n, t := range s.Tuple {
		var by *hlo.Instruction
		if root != nil && root.Opcode == hlo.OpTuple && n < len(root.Operands) {
			by = root.Operands[n]
		}
		p[outputBytes(n)] = written(t, by)
		total += p[outputBytes(n)]
	}
	p[outputBytes()] = total
	return total
}

// parameterBytes is what a fusion reads of a parameter: slices read their part,
// all others share one reading of the whole.
func parameterBytes(param *hlo.Instruction, users map[*hlo.Instruction][]*hlo.Instruction) float64 {
	total, whole := 0.0, false
	readWhole := func() {
		if !whole {
			whole = true
			total += size(param.Shape)
		}
	}
	for _, u := range users[param] {
		switch {
		case u.Opcode == hlo.OpSlice:
			total += size(u.Shape)
		case u.Opcode == hlo.OpDynamicSlice && len(u.Operands) > 0 && u.Operands[0] == param:
			total += size(u.Shape)
		case u.Opcode == hlo.OpDynamicUpdateSlice && len(u.Operands) > 0 && u.Operands[0] == param:
			// written in place
		case u.Opcode == hlo.OpBroadcast, u.Opcode == hlo.OpReshape:
			total += size(param.Shape)
		default:
			readWhole()
		}
	}
	return total
}
