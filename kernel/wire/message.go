package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
)

// ProtocolVersion is the version of the protocol that the kernel speaks.
const ProtocolVersion = "5.5"

// Header says what a message is and where it comes from.
type Header struct {
	MsgID      string  `json:"msg_id"`
	Session    string  `json:"session"`
	Username   string  `json:"username"`
	Date       string  `json:"date"`
	MsgType    string  `json:"msg_type"`
	Version    string  `json:"version"`
	SubshellID *string `json:"subshell_id,omitempty"`
}

// encode is Encode for a header: each message has one, and most are plain.
func (h *Header) encode() (json.RawMessage, error) {
	fields := [...]struct{ name, value string }{
		{`{"msg_id":"`, h.MsgID},
		{`","session":"`, h.Session},
		{`","username":"`, h.Username},
		{`","date":"`, h.Date},
		{`","msg_type":"`, h.MsgType},
		{`","version":"`, h.Version},
	}
	size := 2
	for _, f := range fields {
		size += len(f.name) + len(f.value)
		for i := range len(f.value) {
			if c := f.value[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
				return Encode(h)
			}
		}
	}
	if h.SubshellID != nil {
		return Encode(h)
	}
	b := make([]byte, 0, size)
	for _, f := range fields {
		b = append(append(b, f.name...), f.value...)
	}
	return append(b, `"}`...), nil
}

// Message is a message in either direction. Parent, Metadata and Content are
// JSON; what came from a peer is kept as it came.
type Message struct {
	Identities [][]byte // routing frames that came before the delimiter
	Header     Header
	RawHeader  json.RawMessage // the header as it came, to be the parent of answers
	Parent     json.RawMessage
	Metadata   json.RawMessage
	Content    json.RawMessage
	Buffers    [][]byte
}

// ParentID returns the id of the message that this one answers, "" if none.
func (m *Message) ParentID() string {
	var h Header
	if json.Unmarshal(m.Parent, &h) != nil {
		return ""
	}
	return h.MsgID
}

// Random bytes for message ids are read sixteen at a time.
func init() { uuid.EnableRandPool() }

// Origin makes the headers of one sender.
type Origin struct {
	Session, Username string
}

// NewOrigin returns an origin with a fresh session id.
func NewOrigin(username string) Origin {
	return Origin{Session: uuid.NewString(), Username: username}
}

// Header returns a fresh header.
func (o Origin) Header(msgType string) Header {
	return Header{
		MsgID: uuid.NewString(), Session: o.Session, Username: o.Username,
		Date: time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"), MsgType: msgType, Version: ProtocolVersion,
	}
}

// Message returns a message that answers the message with the given raw
// header, which may be nil.
func (o Origin) Message(msgType string, parent json.RawMessage, content any) (*Message, error) {
	c, err := Encode(content)
	if err != nil {
		return nil, fmt.Errorf("content of %s: %w", msgType, err)
	}
	return &Message{Header: o.Header(msgType), Parent: parent, Content: c}, nil
}

// Request ties the contents of a request and of its reply. Name ends in
// "_request".
type Request[Req, Rep any] struct{ Name string }

// ReplyName is the type of the reply.
func (r Request[Req, Rep]) ReplyName() string {
	return strings.TrimSuffix(r.Name, "_request") + "_reply"
}

// Decode reads the content of a request.
func (r Request[Req, Rep]) Decode(m *Message) (req Req, err error) {
	if err := json.Unmarshal(m.Content, &req); err != nil {
		return req, fmt.Errorf("content of %s: %w", r.Name, err)
	}
	return req, nil
}

// Event is a message without an answer, such as those of iopub.
type Event[Content any] struct{ Name string }

// Decode reads the content of an event.
func (e Event[Content]) Decode(m *Message) (c Content, err error) {
	if err := json.Unmarshal(m.Content, &c); err != nil {
		return c, fmt.Errorf("content of %s: %w", e.Name, err)
	}
	return c, nil
}

// Encode makes JSON as it goes over the wire: without the escapes that
// encoding/json adds for HTML pages. JSON that is already final stays as it is.
func Encode(v any) (json.RawMessage, error) {
	if raw, ok := v.(json.RawMessage); ok {
		return raw, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// ReplyStatus is the part that all replies share.
type ReplyStatus struct {
	Status    string   `json:"status"`
	Name      string   `json:"ename,omitempty"`
	Value     string   `json:"evalue,omitempty"`
	Traceback []string `json:"traceback,omitempty"`
}

// OK is the status of a reply to a request that was carried out.
var OK = ReplyStatus{Status: "ok"}

// Failed is the status of a reply to a request that was not.
func Failed(name string, err error) ReplyStatus {
	return ReplyStatus{Status: "error", Name: name, Value: err.Error(), Traceback: []string{name + ": " + err.Error()}}
}

// Empty is a content without fields.
type Empty struct{}
