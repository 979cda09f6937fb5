package interp
import ("testing";"context";"gopherlo/kernel/language";"fmt";"os";"strings")
func TestZZ(t *testing.T) {
	b, err := os.ReadFile(os.Getenv("CELLS"))
	if err != nil { t.Skip() }
	in := New(Options{})
	for i, src := range strings.Split(string(b), "\n---\n") {
		h := &recorder{}
		res := in.Execute(context.Background(), language.Request{Code: src, Count: i+1}, h)
		fmt.Printf("[%d] out=%q err=%q val=%v\n", i+1, h.stdout.String(), h.stderr.String(), res.Value)
		if res.Error != nil { fmt.Println(strings.Join(res.Error.Traceback, "\n")) ; fmt.Println("TRACE", in.trace.text.String())}
	}
}
