package display

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
)

// mimePNG is the type of a picture in pixels; its data are base64.
const mimePNG = "image/png"

// PNG shows a picture. One that PNG cannot hold shows as the error's text.
func PNG(img image.Image) Value {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return Value{Text(err.Error())}
	}
	size := img.Bounds().Size()
	return Value{Bundle{
		mimePNG:  base64.StdEncoding.EncodeToString(b.Bytes()),
		mimeText: fmt.Sprintf("<image of %d x %d pixels>", size.X, size.Y),
	}}
}
