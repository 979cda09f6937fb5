package rt

import "encoding/json"

// MarshalJSON encodes the value as encoding/json would in Go: boxes get to
// encoders by way of packages that keep values in interfaces.
func (b Box) MarshalJSON() ([]byte, error) { return json.Marshal(b.s.FacadeCopy(b)) }
