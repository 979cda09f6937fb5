package lower

// waiters are the runtime's functions for native methods that wait, which an
// interrupt can end, and for one that would let a flag end the process.
var waiters = map[string]string{
	"(*sync.Mutex).Lock": "Lock", "(*sync.RWMutex).Lock": "Lock", "(sync.Locker).Lock": "Lock",
	"(*sync.RWMutex).RLock": "RLock", "(*sync.Cond).Wait": "CondWait",

	"(*os/exec.Cmd).Run": "CmdRun", "(*os/exec.Cmd).Wait": "CmdWait",
	"(*os/exec.Cmd).Output": "CmdOutput", "(*os/exec.Cmd).CombinedOutput": "CmdCombined",
	"(*os.Process).Wait": "ProcessWait",

	"(*net/http.Client).Do": "ClientDo", "(*net/http.Client).Get": "ClientGet", "(*net/http.Client).Head": "ClientHead",
	"(*net/http.Client).Post": "ClientPost", "(*net/http.Client).PostForm": "ClientPostForm",
	"(*net/http.Server).ListenAndServe": "ServerListen", "(*net/http.Server).Serve": "ServerServe",

	"(net.Listener).Accept": "Accept", "(*net.TCPListener).Accept": "Accept", "(*net.UnixListener).Accept": "Accept",
	"(net.PacketConn).ReadFrom": "ReadPacket", "(*net.UDPConn).ReadFrom": "ReadPacket",

	"(io.Reader).Read": "ReadOn", "(net.Conn).Read": "ReadOn", "(*net.conn).Read": "ReadOn",
	"(*io.PipeReader).Read": "ReadOn", "(*bufio.Reader).Read": "ReadOn",
	"(*crypto/tls.Conn).Read": "ReadOn", "(*crypto/tls.Conn).Write": "WriteOn", "(*crypto/tls.Conn).Handshake": "Handshake",
	"(*net.Dialer).Dial": "DialerDial", "(*net/http.Server).ListenAndServeTLS": "ServerListenTLS",
	"(io.Writer).Write": "WriteOn", "(net.Conn).Write": "WriteOn", "(*net.conn).Write": "WriteOn",
	"(*io.PipeWriter).Write": "WriteOn", "(*os.File).Write": "WriteOn",

	"(*bufio.Scanner).Scan": "Scan", "(*bufio.Reader).ReadString": "ReadString", "(*bufio.Reader).ReadBytes": "ReadBytes",
	"(*bufio.Reader).ReadLine": "ReadLine", "(*bufio.Reader).ReadByte": "ReadByte", "(*bufio.Reader).ReadRune": "ReadRune",
	"(*bufio.Reader).ReadSlice": "ReadSlice", "(*bufio.Reader).Discard": "Discard", "(*bufio.Writer).Flush": "Flush",
	"(*bufio.Reader).Peek": "Peek", "(*encoding/json.Decoder).Decode": "Decode",

	"(*flag.FlagSet).Init": "FlagInit",
}

// waitsOn are those of the functions that take an interface, which the struct
// around an embedded field satisfies too.
var waitsOn = map[string]string{
	"Lock": "sync.Locker", "ReadOn": "io.Reader", "WriteOn": "io.Writer", "Accept": "net.Listener", "ReadPacket": "net.PacketConn",
}
