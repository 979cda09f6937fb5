// Package modules finds the folders of packages that are interpreted from source:
// those of the module or workspace around the notebook, of its vendor folder and of
// its requirements in the module cache, and, where no module says anything, plain
// folders beside the notebook and what the module cache has. Nothing is downloaded.
//
//	f, err := modules.Find(".", modules.Root{}, "example.com/shapes/area")
package modules
