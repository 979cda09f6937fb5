package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/user"
	"strconv"
	"sync"
	"time"

	"gopherlo/kernel/language"
	"gopherlo/kernel/transport"
	"gopherlo/kernel/wire"
	"gopherlo/kernel/worker"
)

// Options are what cmd gives a kernel.
type Options struct {
	// ConnectionFile is the path the client chose; when nothing is there, the
	// kernel chooses ports and a key and writes it.
	ConnectionFile string
	// Address is where to listen when there is no such file.
	Address transport.Address
	Policy  transport.Policy
	Limits  transport.Limits
	// Text answers questions about code without a session.
	Text language.Text
	// Worker says how the process that runs cells is started.
	Worker worker.Options
	// Implementation and Version are this program's.
	Implementation, Version string
	HelpLinks               []wire.HelpLink
	// Subshells says that the language runs cells beside each other
	// ([language.Concurrent]); clients may then create subshells.
	Subshells bool
	// BesideComms are the targets of comms whose messages are handled while a
	// cell runs ([language.CommBeside]); those of others wait for its end.
	BesideComms []string
	// AutoReplay makes a session that has lost its worker again from its journal
	// before the next cell; a cell can switch it.
	AutoReplay bool
	// HistoryDir holds one file per session; "" keeps no history on disk.
	HistoryDir string
	// SessionDir keeps the journal of the session for a kernel that is started
	// again with the same connection file; "" keeps it in memory only.
	SessionDir string
	// NativeFilter, if not nil, drops a line of native output that is known to
	// be noise; it goes to the log only.
	NativeFilter func(name string, line []byte) bool
	// Activity, if not nil, is told when a cell, a comm message or a request
	// begins to be served and when it has been. They may overlap.
	Activity func(on bool)
	// IdleTimeout ends a kernel that has run nothing for this long; 0 is never.
	IdleTimeout time.Duration
	Log         *slog.Logger
}

// Kernel is a running kernel: five channels, one session, one worker.
type Kernel struct {
	opts   Options
	log    *slog.Logger
	conn   *transport.Connection
	codec  *wire.Codec
	origin wire.Origin

	shell, control, stdin, heartbeat *transport.Channel

	iopub   *iopub
	sup     *worker.Supervisor
	session *Session
	inputs  inputs
	beside  chan struct{} // a token for each request that is served beside the others

	stopOnce sync.Once
	stopped  chan struct{} // closed when the kernel is to end
}

// linger is how long the last messages may take to leave at the end.
const linger = time.Second

// Run serves until a client asks for shutdown, ctx ends, or the process that
// started the kernel is gone.
func Run(ctx context.Context, opts Options) error {
	k, err := Start(opts)
	if err != nil {
		return err
	}
	defer k.Close()
	k.Wait(ctx)
	return nil
}

// Wait blocks until the kernel is to end: a client asked for it, ctx ended,
// the process that started it is gone, or it was idle for too long.
func (k *Kernel) Wait(ctx context.Context) {
	go k.watchParent()
	if k.opts.IdleTimeout > 0 {
		go k.watchIdle()
	}
	select {
	case <-ctx.Done():
	case <-k.stopped:
	}
}

// Start opens the channels and starts the worker, without waiting for it.
func Start(opts Options) (*Kernel, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Activity == nil {
		opts.Activity = func(bool) {}
	}
	opts.Activity(true)
	defer opts.Activity(false)
	conn, fresh, err := transport.LoadConnection(opts.ConnectionFile)
	if err != nil {
		return nil, err
	}
	switch {
	case fresh:
		conn.At(opts.Address)
	case opts.Address != transport.Address{}:
		return nil, fmt.Errorf("%s is there and says where to listen: leave out the address, or the file", opts.ConnectionFile)
	}
	if err := conn.Check(opts.Policy); err != nil {
		return nil, err
	}
	chosen := conn.Chooses() // ports that listen will choose
	k := &Kernel{
		opts: opts, log: opts.Log, conn: conn, stopped: make(chan struct{}), beside: make(chan struct{}, maxBeside),
		codec: wire.NewCodec([]byte(conn.Key)), origin: wire.NewOrigin(userName()),
	}
	k.iopub = newIOPub(k)
	opts.Worker.Log = opts.Log
	k.sup = worker.New(opts.Worker, (*sink)(k))
	k.session = newSession(k)
	go k.session.main.run()
	go k.session.widgets.run()
	if err := k.listen(); err != nil {
		k.Close()
		return nil, err
	}
	k.iopub.status(nil, "starting")
	if fresh || chosen { // who waits for the file comes after that
		if err := conn.Save(opts.ConnectionFile); err != nil {
			k.Close()
			return nil, err
		}
	}
	go k.serve(k.shell, shellRows)
	go k.serve(k.control, controlRows)
	go k.serveStdin()
	k.sup.ReapOrphans()
	go k.startWorker()
	return k, nil
}

// startWorker starts the first worker beside the channels; a failure shows at
// the first cell, which tries again.
func (k *Kernel) startWorker() {
	if err := k.sup.Start(); err != nil {
		k.log.Error("worker", "err", err)
	}
}

// listen opens the five channels.
func (k *Kernel) listen() error {
	cfg := &transport.Config{Limits: k.opts.Limits, Log: k.log, Welcome: k.iopub.welcome, Dropped: k.iopub.reportDropped}
	cfg.Init()
	if k.conn.CurveSecretKey != "" {
		var err error
		cfg.Secure, err = transport.CurveServer(k.conn.CurvePublicKey, k.conn.CurveSecretKey, &cfg.Limits)
		if err != nil {
			return err
		}
	}
	for _, ch := range []struct {
		to   **transport.Channel
		name string
		kind transport.Kind
		port *int
	}{
		{&k.shell, "shell", transport.Router, &k.conn.ShellPort},
		{&k.control, "control", transport.Router, &k.conn.ControlPort},
		{&k.stdin, "stdin", transport.Router, &k.conn.StdinPort},
		{&k.heartbeat, "hb", transport.Echo, &k.conn.HBPort},
		{&k.iopub.ch, "iopub", transport.Publisher, &k.conn.IOPubPort},
	} {
		c, err := transport.Listen(cfg, k.conn, ch.name, ch.kind, ch.port)
		if err != nil {
			return fmt.Errorf("%s channel: %w", ch.name, err)
		}
		*ch.to = c
	}
	return nil
}

// Interrupt stops the running cell, as an interrupt_request does.
func (k *Kernel) Interrupt() { k.sup.Interrupt() }

// Stopped is closed when a client has asked for shutdown.
func (k *Kernel) Stopped() <-chan struct{} { return k.stopped }

// stop lets Run return.
func (k *Kernel) stop() { k.stopOnce.Do(func() { close(k.stopped) }) }

// Close ends the worker, sends what is queued and closes the channels.
func (k *Kernel) Close() {
	k.stop()
	k.session.close()
	k.sup.Close()
	select {
	case <-k.session.main.ended: // the running cell has been answered
	case <-time.After(linger):
	}
	var wg sync.WaitGroup
	for _, c := range []*transport.Channel{k.shell, k.control, k.stdin, k.heartbeat, k.iopub.ch} {
		if c != nil {
			wg.Go(func() { c.Close(linger) })
		}
	}
	wg.Wait()
}

// watchParent ends the kernel when the process that started it is gone. A
// client that wants this names itself in JPY_PARENT_PID.
func (k *Kernel) watchParent() {
	parent, err := strconv.Atoi(os.Getenv("JPY_PARENT_PID"))
	if err != nil || os.Getppid() != parent {
		return
	}
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-k.stopped:
			return
		case <-t.C:
			if os.Getppid() != parent {
				k.log.Info("the parent process is gone")
				k.stop()
				return
			}
		}
	}
}

// watchIdle ends the kernel when it has run nothing for the idle timeout.
func (k *Kernel) watchIdle() {
	t := time.NewTicker(max(k.opts.IdleTimeout/10, 10*time.Millisecond))
	defer t.Stop()
	for {
		select {
		case <-k.stopped:
			return
		case <-t.C:
			if k.session.idleFor() >= k.opts.IdleTimeout {
				k.log.Info("idle timeout")
				k.stop()
				return
			}
		}
	}
}

func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "kernel"
}

// send signs and queues a message for one peer.
func (k *Kernel) send(p *transport.Peer, m *wire.Message) {
	frames, err := k.codec.Encode(m)
	if err != nil {
		k.log.Error("message not sent", "type", m.Header.MsgType, "err", err)
		return
	}
	p.Send(frames, transport.Must)
}

// receive checks and decodes a message; what is not in order is dropped.
func (k *Kernel) receive(in transport.Message) *wire.Message {
	defer in.Release()
	m, err := k.codec.Decode(in.Frames)
	if err != nil {
		k.log.Warn("message dropped", "err", err)
		return nil
	}
	in.Peer.Trust()
	return m
}

// emptyHeader is the parent of messages that answer nothing.
var emptyHeader = json.RawMessage("{}")

// WorkerPID returns the process number of the worker, 0 when none runs.
func (k *Kernel) WorkerPID() int { return k.sup.PID() }
