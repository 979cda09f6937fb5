package main

import (
	"fmt"

	"gopherlo/install"
)

// versionCommand prints the versions that a bug report needs.
func versionCommand([]string) int {
	for _, line := range install.Versions() {
		fmt.Println(line)
	}
	return 0
}
