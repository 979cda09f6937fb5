// Package plugin finds PJRT plugins on this machine. It loads nothing and
// needs no cgo: package xla/pjrt loads what Find found, package install puts
// plugins where Find looks.
//
//	f, err := plugin.Find("cpu")   // f.Path is an absolute path
//
// A new platform is one row of platforms.go.
package plugin
