// Package hlopb is the generated protobuf form of HLO modules; package hlo
// converts from and to it. To make it again, have protoc-gen-go v1.36.10 in
// PATH and a protoc (that of the Python package grpcio-tools will do).
package hlopb

//go:generate go install google.golang.org/protobuf/cmd/protoc-gen-go@v1.36.10
//go:generate python3 -m grpc_tools.protoc -I. --go_out=. --go_opt=paths=source_relative gopherlo_hlo.proto
