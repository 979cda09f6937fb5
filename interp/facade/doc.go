// Package facade makes Go types at run time that look to reflection like types
// a compiler made: with a name, fields as they were declared (unexported and
// embedded ones too) and methods.
//
// yaegi's own types have none of that, so packages that look into values by
// reflection (encoding/json, text/template, reflect itself) would see something
// else than what a cell declares. A facade has the layout in memory of the type
// that it stands for: a value is seen as a facade without being copied.
//
//	d := facade.New(reflect.TypeFor[int](), "main.Celsius", "main")
//	d.SetMethods([]facade.Method{{Name: "String", Type: reflect.TypeFor[func() string](), Call: …}})
//	reflect.ValueOf(20).Convert(d.Type()) // fmt prints it by its String method
//
// The layouts are those of internal/abi of Go 1.26; [Check] compares them with
// what reflection says before the first type is made.
package facade
