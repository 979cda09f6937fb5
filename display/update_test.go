package display

import "testing"

// places notes what is shown where.
type places struct {
	shown   map[any]Bundle
	updates int
	cleared []bool
}

func (p *places) Display(data Bundle, _, transient map[string]any, update bool) {
	p.shown[transient["display_id"]] = data
	if update {
		p.updates++
	}
}

func (p *places) Clear(wait bool) { p.cleared = append(p.cleared, wait) }

func TestHandle(t *testing.T) {
	p := &places{shown: map[any]Bundle{}}
	SetOutput(p)
	t.Cleanup(func() { SetOutput(nil) })
	a, b := ShowHandle(1), ShowHandle(2)
	a.Update(3)
	if len(p.shown) != 2 || p.updates != 1 || p.shown[a.id][mimeText] != "3" || p.shown[b.id][mimeText] != "2" {
		t.Errorf("shown %v after %d updates", p.shown, p.updates)
	}
	Clear(true)
	if len(p.cleared) != 1 || !p.cleared[0] {
		t.Errorf("cleared %v", p.cleared)
	}
}
