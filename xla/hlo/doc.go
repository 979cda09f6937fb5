// Package hlo holds XLA's HLO programs in memory: modules, computations,
// instructions, shapes and literals. It reads and writes XLA's protobuf form
// ([Unmarshal], [Module.Marshal]) and XLA's text form ([Module.Text], [Parse]),
// checks modules before they are given to a compiler ([Module.Verify]) and
// helps to walk and edit them ([Module.Walk], [Module.Find]).
//
// An instruction points to its operands and to the computations that it calls;
// ids matter only in the protobuf form. [Module.AssignIDs] gives ids to a
// module that was built by hand.
//
// The rules of the text form are those of XLA as of jaxlib 0.12.0.1
// (HloModule::ToString and hlo_parser); tests compare byte for byte.
package hlo
