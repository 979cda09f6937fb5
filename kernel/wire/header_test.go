package wire

import (
	"encoding/json"
	"testing"
)

// TestHeaderEncode compares headers as they are sent with encoding/json's.
func TestHeaderEncode(t *testing.T) {
	shell := "a"
	for _, h := range []Header{
		{},
		NewOrigin("me").Header("status"),
		{MsgID: "a\"b"},
		{Session: `c\d`},
		{Username: "Zoë <&>"},
		{Date: "x\ny"},
		{Username: "<&> ~ '", MsgType: "\x7f", Version: "5.5"},
		{MsgID: "1", SubshellID: &shell},
		{Username: "\xff"},
	} {
		got, err := h.encode()
		if err != nil {
			t.Fatal(err)
		}
		want, err := Encode(h)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) || !json.Valid(got) {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// BenchmarkEncode is the making of a status message.
func BenchmarkEncode(b *testing.B) {
	c, o := NewCodec([]byte("key")), NewOrigin("me")
	parent, _ := Encode(o.Header("execute_request"))
	for b.Loop() {
		m, err := o.Message(Status.Name, parent, StatusContent{ExecutionState: "busy"})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Encode(m); err != nil {
			b.Fatal(err)
		}
	}
}
