// Package flags holds what can be said to XLA's compiler: effort levels, the
// values of compile options, their precedence, the bytes of a
// CompileOptionsProto, and XLA_FLAGS with a check that costs no process of
// the user's. XLA itself has the last word on every option.
//
//	opts, err := flags.Merge(jitOptions, compileOptions)   // later ones win
//	err = flags.Try(ctx, os.Getenv("XLA_FLAGS"))           // nil or XLA's words
package flags
