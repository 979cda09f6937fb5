// Package tree takes Go values apart into leaves and a structure, and puts them
// together again: the pytrees of JAX over structs, slices, arrays, maps with
// string keys and pointers to structs.
//
//	leaves, def := tree.Flatten(map[string]any{"a": []any{1, tree.Tuple{2., nil}}, "b": 3})
//	def.String()          // PyTreeDef({'a': [*, (*, None)], 'b': *})
//	def.Unflatten(leaves) // a value equal to the first
//
// Slices are JAX's lists, [Tuple] and Go arrays its tuples, maps its dicts
// (sorted by key), structs its registered dataclasses in the order of their
// declaration, nil its None. Anything else, numbers included, is a leaf; a type
// whose values must stay whole says so by [RegisterLeaf]. With [Options].Static,
// values in places of a concrete Go type (n int) belong to the structure, since
// Go code needs them as values.
package tree
