// Package paint has an init function and nothing else.
package paint

import "fmt"

func init() { fmt.Println("paint is there") }
