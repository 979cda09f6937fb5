package display

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"
)

// front is a front end that notes what it is sent.
type front struct {
	mu       sync.Mutex // bars send from timers too
	kinds    []string
	contents []map[string]any
	shown    []Bundle
}

func (f *front) Display(data Bundle, _, _ map[string]any, _ bool) { f.shown = append(f.shown, data) }

func (f *front) Comm(kind string, content, _ map[string]any, _ [][]byte) {
	text, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	var c map[string]any
	if err := json.Unmarshal(text, &c); err != nil {
		panic(err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kinds, f.contents = append(f.kinds, kind), append(f.contents, c)
}

// last is the data of the last message.
func (f *front) last() map[string]any {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.contents[len(f.contents)-1]["data"].(map[string]any)
}

func attach(t *testing.T) *front {
	t.Helper()
	f := &front{}
	SetOutput(f)
	t.Cleanup(func() { SetOutput(nil) })
	return f
}

func post(t *testing.T, kind string, content map[string]any) {
	t.Helper()
	text, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	HandleComm(kind, text, nil)
}

func TestComm(t *testing.T) {
	f := attach(t)
	var got []string
	c := OpenComm("their.target", map[string]any{"a": 1})
	c.OnMessage(func(data map[string]any, _ [][]byte) { got = append(got, data["text"].(string)) })
	c.OnClose(func(map[string]any) { got = append(got, "closed") })
	c.Send(map[string]any{"b": 2})
	post(t, "comm_msg", map[string]any{"comm_id": c.ID, "data": map[string]any{"text": "hello"}})
	post(t, "comm_msg", map[string]any{"comm_id": "unknown", "data": map[string]any{"text": "lost"}})
	post(t, "comm_close", map[string]any{"comm_id": c.ID, "data": map[string]any{}})
	c.Close(nil) // it is closed already: nothing is sent
	if want := []string{"hello", "closed"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if want := []string{"comm_open", "comm_msg"}; !slices.Equal(f.kinds, want) {
		t.Errorf("sent %q, want %q", f.kinds, want)
	}
}

func TestCommTargets(t *testing.T) {
	f := attach(t)
	OnComm("ours", func(c *Comm, data map[string]any) { c.Send(data) })
	t.Cleanup(func() { OnComm("ours", nil) })
	post(t, "comm_open", map[string]any{"comm_id": "1", "target_name": "ours", "data": map[string]any{"x": "y"}})
	if f.last()["x"] != "y" {
		t.Errorf("sent %v", f.contents)
	}
	post(t, "comm_open", map[string]any{"comm_id": "2", "target_name": "nobody", "data": map[string]any{}})
	if last := len(f.kinds) - 1; f.kinds[last] != "comm_close" || f.contents[last]["comm_id"] != "2" {
		t.Errorf("a comm to an unknown target: %q %v", f.kinds, f.contents)
	}
}

func TestWidgetBar(t *testing.T) {
	f := attach(t)
	b := NewWidgetBar(10, "<train>")
	if want := []string{"comm_open", "comm_open", "comm_open"}; !slices.Equal(f.kinds, want) {
		t.Fatalf("sent %q", f.kinds)
	}
	state := f.last()["state"].(map[string]any)
	if state["_model_name"] != "IntProgressModel" || state["layout"] != b.layout.ref() || state["max"] != 10. {
		t.Errorf("state %v", state)
	}
	Show(b)
	if _, ok := f.shown[0][mimeWidget]; !ok || f.shown[0][mimeText] != "<train> 0/10" {
		t.Errorf("shown %v", f.shown[0])
	}
	for range 10 { // of these in a moment, the first and the last are sent
		b.Add(1)
	}
	time.Sleep(2 * barPause)
	f.mu.Lock()
	n := len(f.kinds)
	f.mu.Unlock()
	if n > 6 || f.last()["state"].(map[string]any)["value"] != 10. {
		t.Errorf("%d messages, the last is %v", n, f.last())
	}
	b.Done(true)
	if f.last()["state"].(map[string]any)["bar_style"] != "success" {
		t.Errorf("last message %v", f.last())
	}
}

// A page that was loaded again asks for all models, or for one.
func TestWidgetReload(t *testing.T) {
	f := attach(t)
	b := NewWidgetBar(3, "")
	t.Cleanup(b.Close)
	b.Set(2)
	post(t, "comm_open", map[string]any{"comm_id": "control", "target_name": widgetControl, "data": map[string]any{}})
	post(t, "comm_msg", map[string]any{"comm_id": "control", "data": map[string]any{"method": "request_states"}})
	states, _ := f.last()["states"].(map[string]any)
	got, _ := states[b.bar.comm.ID].(map[string]any)
	if got["model_name"] != "IntProgressModel" || got["state"].(map[string]any)["value"] != 2. {
		t.Errorf("states %v", states)
	}
	post(t, "comm_msg", map[string]any{"comm_id": b.bar.comm.ID, "data": map[string]any{"method": "request_state"}})
	if f.last()["method"] != "update" || f.last()["state"].(map[string]any)["max"] != 3. {
		t.Errorf("last message %v", f.last())
	}
	post(t, "comm_msg", map[string]any{"comm_id": b.bar.comm.ID, "data": map[string]any{"method": "update", "state": map[string]any{"value": 1}}})
	if f.last()["method"] != "echo_update" || b.bar.snapshot()["value"] != 1. {
		t.Errorf("last message %v", f.last())
	}
}
