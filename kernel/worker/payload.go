package worker

import (
	"bytes"
	"encoding/json"
	"strconv"

	"gopherlo/kernel/language"
)

// Done ends a cell on the pipe: what execute_reply needs and what a fresh
// worker must be given. It is language.Result without the value, which went
// before as a result frame.
type Done struct {
	Status          string                     `json:"status"`
	Error           *language.Error            `json:"error,omitempty"`
	UserExpressions map[string]json.RawMessage `json:"user_expressions,omitempty"`
	Payload         []json.RawMessage          `json:"payload,omitempty"`
	Env             map[string]*string         `json:"env,omitempty"`
	Dir             string                     `json:"dir,omitempty"`
}

// InputRequest is the content of input_request.
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// inputReply is the answer to an input request: a line, or why there is none.
type inputReply struct {
	Value string `json:"value"`
	Error string `json:"error,omitempty"`
}

// positionRequest asks about a place in a text. Cursor counts code points.
type positionRequest struct {
	Code   string `json:"code"`
	Cursor int    `json:"cursor"`
	Detail int    `json:"detail"`
}

// displayContent makes the content of display_data and update_display_data.
func displayContent(data language.Bundle, metadata, transient map[string]any) []byte {
	data = encodeBundle(data)
	return appendContent(make([]byte, 0, sizeOfBundle(data)+256), data,
		field{"metadata", encodeMap(metadata)}, field{"transient", encodeMap(transient)})
}

// resultContent makes the content of execute_result.
func resultContent(count int, data language.Bundle, metadata map[string]any) []byte {
	data = encodeBundle(data)
	return appendContent(make([]byte, 0, sizeOfBundle(data)+256), data,
		field{"metadata", encodeMap(metadata)}, field{"execution_count", strconv.AppendInt(nil, int64(count), 10)})
}

// clearContent is the content of clear_output.
type clearContent struct {
	Wait bool `json:"wait"`
}

// encode makes final JSON: without the escapes that encoding/json adds for
// HTML pages, and without its newline.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// encodeBundle returns a bundle whose every value can be JSON: a value that
// cannot (a NaN, a channel) is left out and named in text/plain, so that one
// bad representation does not take the others along.
func encodeBundle(data language.Bundle) language.Bundle {
	clean := make(language.Bundle, len(data))
	for mime, v := range data {
		switch v := v.(type) {
		case string:
			clean[mime] = v
		default:
			b, err := encode(v)
			if err != nil {
				clean["text/plain"] = mime + " left out: " + err.Error()
				continue
			}
			clean[mime] = json.RawMessage(b)
		}
	}
	if text, ok := data["text/plain"].(string); ok {
		clean["text/plain"] = text
	}
	return clean
}

// cleanMap does the same for metadata, which is never nil on the wire.
func cleanMap(m map[string]any) map[string]any {
	clean := make(map[string]any, len(m))
	for k, v := range m {
		if b, err := encode(v); err == nil {
			clean[k] = json.RawMessage(b)
		}
	}
	return clean
}

// encodeMap makes the JSON of metadata.
func encodeMap(m map[string]any) []byte {
	if len(m) == 0 {
		return []byte("{}")
	}
	b, err := encode(cleanMap(m))
	if err != nil {
		return []byte("{}")
	}
	return b
}
