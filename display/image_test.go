package display

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"testing"
)

func TestPNG(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 3, 2))
	img.Set(1, 1, color.RGBA{R: 200, A: 255})
	bundle := PNG(img).MIMEBundle()
	if got := bundle[mimeText]; got != "<image of 3 x 2 pixels>" {
		t.Errorf("text %q", got)
	}
	data, err := base64.StdEncoding.DecodeString(bundle[mimePNG].(string))
	if err != nil {
		t.Fatal(err)
	}
	back, err := png.Decode(bytes.NewReader(data))
	if err != nil || back.Bounds() != img.Bounds() {
		t.Fatalf("%v, %v", back, err)
	}
	if got, want := color.RGBAModel.Convert(back.At(1, 1)), img.At(1, 1); got != want {
		t.Errorf("the pixel is %v, want %v", got, want)
	}
	if got := Of(img); got[mimePNG] != bundle[mimePNG] {
		t.Errorf("an image as a value shows as %v", got)
	}
	if got := PNG(image.NewRGBA(image.Rect(0, 0, 0, 0))).MIMEBundle()[mimeText]; got == "" || got == "<image of 0 x 0 pixels>" {
		t.Errorf("an empty picture shows as %q", got)
	}
}
