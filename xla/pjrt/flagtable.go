//go:build cgo

package pjrt

import (
	"context"
	"errors"
	"sync"

	"gopherlo/xla/flags"
	"gopherlo/xla/plugin"
)

// FlagTable gives all flags of a platform's plugin: names and types from the
// plugin file, defaults and descriptions from the text that XLA prints in a
// child process. The first call for a plugin takes about a second, as many
// children are asked which options XLA_FLAGS takes too; the answer is kept in
// the data folder. Where the plugin can make no client, as without a GPU,
// defaults are not known.
func FlagTable(ctx context.Context, platform string) ([]flags.Flag, error) {
	path, err := PluginFile(platform)
	if err != nil {
		return nil, err
	}
	sum, err := plugin.Hash(path)
	if err != nil {
		return nil, err
	}
	if table := flags.LoadTable(plugin.DataRoot(), sum); table != nil {
		return table, nil
	}
	schema, err := flags.Schema(path)
	if err != nil {
		return nil, err
	}
	text, err := probe(ctx, path, flags.ProbeValue)
	var none *noClientError
	switch {
	case errors.As(err, &none):
		return flags.Table(schema, nil, nil), nil
	case err != nil:
		return nil, err
	}
	c := classifier{ctx: ctx, path: path, taken: map[string]bool{}, slots: make(chan struct{}, 2)}
	c.classify(schema)
	c.wg.Wait()
	if c.err != nil {
		return nil, c.err
	}
	table := flags.Table(schema, flags.Usage(text), c.taken)
	flags.SaveTable(plugin.DataRoot(), sum, table)
	return table, nil
}

// classifier asks XLA, in child processes, which options XLA_FLAGS takes too.
type classifier struct {
	ctx   context.Context
	path  string
	slots chan struct{} // bounds the children that run at a time
	wg    sync.WaitGroup

	mu    sync.Mutex
	taken map[string]bool
	err   error
}

// classify tries all fields at once. XLA answers with the unknown ones, or
// fails on the value of a known one, which it does not always name: then the
// halves are tried.
func (c *classifier) classify(fields []flags.Flag) {
	if len(fields) == 0 {
		return
	}
	c.wg.Go(func() {
		c.slots <- struct{}{}
		text, err := probe(c.ctx, c.path, flags.ProbeAll(fields))
		<-c.slots
		verdict := flags.Verdict(text)
		if err != nil || verdict == nil {
			c.fail(err)
			return
		}
		unknown, known := flags.ReadProbe(verdict.Error())
		switch {
		case unknown != nil:
			for _, f := range fields {
				c.set(f.Name, !unknown[f.Name])
			}
		case len(fields) == 1:
			c.set(fields[0].Name, true) // an unknown flag's value is not read
		case known != "" && c.split(fields, known):
		default:
			c.classify(fields[:len(fields)/2])
			c.classify(fields[len(fields)/2:])
		}
	})
}

// split goes on without the field that XLA named.
func (c *classifier) split(fields []flags.Flag, known string) bool {
	for i, f := range fields {
		if f.Name == known {
			c.set(known, true)
			c.classify(append(append([]flags.Flag{}, fields[:i]...), fields[i+1:]...))
			return true
		}
	}
	return false
}

func (c *classifier) set(name string, taken bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken[name] = taken
}

func (c *classifier) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
	}
}
