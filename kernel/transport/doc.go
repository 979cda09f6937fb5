// Package transport carries multipart messages between Jupyter clients and the
// kernel: ZeroMQ's protocol ZMTP 3 over TCP or local sockets.
//
// The engine is zmq4's connection ([zmq4.Open], RecvMsg, SendMsg). Its socket
// types are not used, and a test keeps it so: one small packet of a stranger,
// without the key, ends or freezes a process that uses them. Around the engine
// this package has its own listener, a goroutine and a byte-bounded queue for
// each peer, a parser that checks every frame before the engine allocates for
// it, deadlines, and the behaviour of ROUTER, XPUB and REP that a kernel needs.
//
// Start with [Listen], which opens one of the kernel's five channels.
package transport
