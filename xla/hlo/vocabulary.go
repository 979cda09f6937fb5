package hlo

import (
	"maps"
	"slices"
)

// Opcodes lists the opcodes that this package knows by name.
func Opcodes() []Opcode { return slices.Sorted(maps.Keys(knownOpcodes)) }

// PrimitiveTypes lists the element types that HLO text has names for, in XLA's order.
func PrimitiveTypes() (list []PrimitiveType) {
	for t := range PrimitiveType(len(primitives)) {
		if t != InvalidType && t != BufferType {
			list = append(list, t)
		}
	}
	return list
}

// ModuleAttributes lists the attributes of the line "HloModule name, …".
func ModuleAttributes() []string {
	return []string{
		"is_scheduled", "input_output_alias", "buffer_donor", "entry_computation_layout", "frontend_attributes", "alias_passthrough_params",
		"allow_spmd_sharding_propagation_to_parameters", "allow_spmd_sharding_propagation_to_output", "replica_count", "num_partitions",
	}
}

// Attributes lists the attributes that instructions of the opcode may have in text:
// its own in printed order, the computations that it calls, and those of all.
func (op Opcode) Attributes() []string {
	list := slices.Clone(attrKeys[op])
	switch {
	case op == OpWhile:
		list = append(list, "condition", "body")
	case op == OpSelectAndScatter:
		list = append(list, "select", "scatter")
	case op == OpConditional:
		list = append(list, "true_computation", "false_computation", "branch_computations")
	case op == OpFusion, op == OpAsyncStart:
		list = append(list, "calls")
	case op == OpCustomCall:
		list = append(list, "called_computations")
	case appliesOne[op]:
		list = append(list, "to_apply")
	}
	return append(list, slices.Sorted(maps.Keys(commonAttrs))...)
}

// Needed is the attribute without which XLA refuses an instruction of the opcode, ""
// when there is none.
func (op Opcode) Needed() string { return needed[op] }

// CallsComputations reports the attributes that name computations.
func CallsComputations(attribute string) bool { return slices.Contains(calleeKeys, attribute) }

// AttributeWords lists the words that an attribute of the opcode takes; nil for
// those that take numbers, texts or names.
func (op Opcode) AttributeWords(attribute string) []string {
	switch attribute {
	case "direction":
		return []string{"EQ", "NE", "GE", "GT", "LE", "LT"}
	case "order":
		return []string{"TOTAL", "PARTIAL"}
	case "type":
		return []string{"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"}
	case "fft_type":
		return fftNames
	case "transpose_a":
		return transposeNames[1:]
	case "distribution":
		return distributionNames[1:]
	case "schedule":
		return scheduleNames
	case "api_version":
		return apiVersionNames[1:]
	case "padding_type":
		return paddingNames[1:]
	case "operand_precision":
		return precisionNames
	case "kind":
		return []string{"kLoop", "kInput", "kOutput", "kCustom"}
	case "algorithm":
		if op == OpRngBitGenerator {
			return rngNames
		}
		return dotAlgorithmNames[1:]
	case "is_stable", "largest", "indices_are_sorted", "unique_indices", "is_composite", "custom_call_has_side_effect", "constrain_layout",
		"use_global_device_ids", "has_dynamic_root", "is_host_transfer", "left_side", "unit_diagonal", "lower", "is_reverse",
		"is_associative", "is_scheduled", "alias_passthrough_params":
		return []string{"true", "false"}
	}
	return nil
}
