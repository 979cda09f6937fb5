package wire

import "encoding/json"

// DisplayData shows data; UpdateDisplayData replaces what was shown under the
// same display_id.
var (
	DisplayData       = Event[DisplayDataContent]{"display_data"}
	UpdateDisplayData = Event[DisplayDataContent]{"update_display_data"}
	ClearOutput       = Event[ClearOutputContent]{"clear_output"}
)

// DisplayDataContent is the content of display_data.
type DisplayDataContent struct {
	Data      map[string]json.RawMessage `json:"data"`
	Metadata  map[string]json.RawMessage `json:"metadata"`
	Transient map[string]json.RawMessage `json:"transient"`
}

// ClearOutputContent is the content of clear_output.
type ClearOutputContent struct {
	Wait bool `json:"wait"`
}
