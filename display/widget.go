package display

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"sync"
	"time"
)

// The comm targets and versions of ipywidgets 8 (its protocol 2.1), which the
// front end must have: `pip install jupyterlab_widgets`, no Python in the
// session.
const (
	widgetTarget   = "jupyter.widget"
	widgetControl  = "jupyter.widget.control"
	widgetProtocol = "2.1.0"
	widgetModules  = "2.0.0"
	baseModule     = "@jupyter-widgets/base"
	controlsModule = "@jupyter-widgets/controls"

	mimeWidget = "application/vnd.jupyter.widget-view+json"
)

// WidgetTargets are the comm targets whose messages touch no user code: a
// kernel may hand them over while a cell runs.
var WidgetTargets = []string{widgetTarget, widgetControl}

// model is one of ipywidgets' models: state that the front end mirrors.
type model struct {
	comm *Comm

	mu    sync.Mutex
	state map[string]any
}

// models are the live models, for front ends that ask for all after a reload.
var models sync.Map // comm id to *model

// newModel opens a model with its names and its state.
func newModel(module, name, viewModule, view string, state map[string]any) *model {
	full := map[string]any{
		"_model_module": module, "_model_module_version": widgetModules, "_model_name": name,
		"_view_count": nil, "_view_module": viewModule, "_view_module_version": widgetModules, "_view_name": view,
	}
	maps.Copy(full, state)
	m := &model{state: full}
	m.comm = openComm(widgetTarget,
		map[string]any{"state": maps.Clone(full), "buffer_paths": []any{}},
		map[string]any{"version": widgetProtocol})
	m.comm.OnMessage(m.message)
	m.comm.OnClose(func(map[string]any) { models.Delete(m.comm.ID) })
	models.Store(m.comm.ID, m)
	return m
}

// ref is how another model's state names this one.
func (m *model) ref() string { return "IPY_MODEL_" + m.comm.ID }

// update changes state here and in the front end.
func (m *model) update(changed map[string]any) {
	m.mu.Lock()
	maps.Copy(m.state, changed)
	m.mu.Unlock()
	m.comm.Send(map[string]any{"method": "update", "state": changed, "buffer_paths": []any{}})
}

func (m *model) snapshot() map[string]any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.state)
}

// message answers the front end: it asks for the state, or has changed it.
func (m *model) message(data map[string]any, _ [][]byte) {
	switch data["method"] {
	case "request_state":
		m.comm.Send(map[string]any{"method": "update", "state": m.snapshot(), "buffer_paths": []any{}})
	case "update":
		changed, _ := data["state"].(map[string]any)
		m.mu.Lock()
		maps.Copy(m.state, changed)
		m.mu.Unlock()
		m.comm.Send(map[string]any{"method": "echo_update", "state": object(changed), "buffer_paths": []any{}})
	}
}

func (m *model) close() {
	models.Delete(m.comm.ID)
	m.comm.Close(nil)
}

// controlOpened serves the comm by which a front end asks for all models.
func controlOpened(c *Comm, _ map[string]any) {
	c.OnMessage(func(data map[string]any, _ [][]byte) {
		if data["method"] != "request_states" {
			return
		}
		states := map[string]any{}
		models.Range(func(id, value any) bool {
			state := value.(*model).snapshot()
			states[id.(string)] = map[string]any{
				"model_name": state["_model_name"], "model_module": state["_model_module"],
				"model_module_version": state["_model_module_version"], "state": state,
			}
			return true
		})
		c.Send(map[string]any{"method": "update_states", "states": states, "buffer_paths": []any{}})
	})
}

// WidgetBar is ipywidgets' progress bar. Show it, or let it be a cell's value;
// then Set and Add move it wherever it is shown. A front end without ipywidgets
// shows the bar as it stood when it was shown.
type WidgetBar struct {
	bar, layout, style *model
	total              int

	mu    sync.Mutex
	value int
	text  string
	sent  time.Time
	timer *time.Timer
}

// barPause is the least time between two updates: more cannot be seen.
const barPause = 50 * time.Millisecond

// NewWidgetBar makes a bar that is full at total.
func NewWidgetBar(total int, description string) *WidgetBar {
	b := &WidgetBar{total: total, text: description}
	b.layout = newModel(baseModule, "LayoutModel", baseModule, "LayoutView", nil)
	b.style = newModel(controlsModule, "ProgressStyleModel", baseModule, "StyleView",
		map[string]any{"bar_color": nil, "description_width": ""})
	b.bar = newModel(controlsModule, "IntProgressModel", controlsModule, "ProgressView", map[string]any{
		"_dom_classes": []any{}, "bar_style": "", "description": description, "description_allow_html": false,
		"layout": b.layout.ref(), "style": b.style.ref(), "min": 0, "max": total, "value": 0,
		"orientation": "horizontal", "tabbable": nil, "tooltip": nil,
	})
	return b
}

// Set moves the bar to n.
func (b *WidgetBar) Set(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.move(n)
}

// Add moves the bar on by n.
func (b *WidgetBar) Add(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.move(b.value + n)
}

// move is Set under the lock. Updates in quick succession are one.
func (b *WidgetBar) move(n int) {
	b.value = n
	if b.timer != nil {
		return
	}
	if wait := barPause - time.Since(b.sent); wait > 0 && n < b.total {
		b.timer = time.AfterFunc(wait, b.tick)
		return
	}
	b.flush()
}

func (b *WidgetBar) tick() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.timer = nil
	b.flush()
}

func (b *WidgetBar) flush() {
	b.sent = time.Now()
	b.bar.update(map[string]any{"value": b.value})
}

// Describe changes the text beside the bar.
func (b *WidgetBar) Describe(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = text
	b.bar.update(map[string]any{"description": text})
}

// Done shows the bar as finished, well or not.
func (b *WidgetBar) Done(well bool) {
	style := "success"
	if !well {
		style = "danger"
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bar.update(map[string]any{"value": b.value, "bar_style": style})
}

// Close takes the bar out of the front end.
func (b *WidgetBar) Close() {
	for _, m := range []*model{b.bar, b.style, b.layout} {
		m.close()
	}
}

// String shows how far the bar is.
func (b *WidgetBar) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("%s %d/%d", b.text, b.value, b.total)
}

// MIMEBundle refers to the bar's model and has a plain form beside it.
func (b *WidgetBar) MIMEBundle() map[string]any {
	text := b.String()
	view, _ := json.Marshal(map[string]any{"version_major": 2, "version_minor": 0, "model_id": b.bar.comm.ID})
	b.mu.Lock()
	defer b.mu.Unlock()
	return map[string]any{
		mimeWidget: json.RawMessage(view),
		mimeText:   text,
		mimeHTML:   fmt.Sprintf(`<label>%s <progress value="%d" max="%d"></progress></label>`, html.EscapeString(b.text), b.value, b.total),
	}
}
