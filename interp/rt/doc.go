// Package rt is what lowered cells call: boxes that give interface values
// their Go type, type switches and method calls on them, deferred calls,
// channels that an interrupt can end, and output.
//
// Lowered code knows the package as _k; package lower writes the calls. One
// [Session] belongs to one interpreter; [Session.Symbols] is its symbol table.
package rt
