module gopherlo

go 1.26.0

require (
	github.com/go-zeromq/zmq4 v0.17.0
	github.com/gomlx/gopjrt v0.10.0
	github.com/google/go-cmp v0.7.0
	github.com/google/uuid v1.6.0
	github.com/petermattis/goid v0.0.0-20261109124353-7cfa343ad0ab
	github.com/traefik/yaegi v0.16.1
	golang.org/x/crypto v0.59.0
	golang.org/x/mod v0.42.0
	golang.org/x/tools v0.52.0
	google.golang.org/protobuf v1.36.10
)

require (
	github.com/go-logr/logr v1.4.3 // indirect
	github.com/go-zeromq/goczmq/v4 v4.2.2 // indirect
	github.com/pkg/errors v0.9.1 // indirect
	github.com/x448/float16 v0.8.4 // indirect
	golang.org/x/sync v0.25.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	k8s.io/klog/v2 v2.130.1 // indirect
)
