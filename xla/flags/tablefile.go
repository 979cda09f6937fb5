package flags

import (
	"encoding/json"
	"os"
	"path/filepath"
)

// tableVersion changes when the table's rows or our descriptions do.
const tableVersion = 1

func tableFile(root, pluginHash string) string {
	if root == "" || len(pluginHash) < 16 {
		return ""
	}
	return filepath.Join(root, "flags-"+pluginHash[:16]+".json")
}

type storedTable struct {
	Version    int
	PluginHash string
	Flags      []Flag
}

// LoadTable reads a table that SaveTable kept, nil when there is none.
func LoadTable(root, pluginHash string) []Flag {
	file := tableFile(root, pluginHash)
	if file == "" {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var t storedTable
	if json.Unmarshal(data, &t) != nil || t.Version != tableVersion || t.PluginHash != pluginHash {
		return nil
	}
	for i, f := range t.Flags {
		if text := descriptions[f.Name]; text != "" && f.Default == "" {
			t.Flags[i].Description = text
		}
	}
	return t.Flags
}

// SaveTable keeps a table for the next process. Failing to is no error.
func SaveTable(root, pluginHash string, table []Flag) {
	file := tableFile(root, pluginHash)
	if file == "" {
		return
	}
	data, err := json.Marshal(storedTable{Version: tableVersion, PluginHash: pluginHash, Flags: table})
	if err != nil || os.MkdirAll(root, 0o700) != nil {
		return
	}
	tmp, err := os.CreateTemp(root, ".tmp-*")
	if err != nil {
		return
	}
	_, err = tmp.Write(data)
	if closeErr := tmp.Close(); err != nil || closeErr != nil || os.Rename(tmp.Name(), file) != nil {
		_ = os.Remove(tmp.Name())
	}
}
