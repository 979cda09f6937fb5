// Package notebook reads notebook files and runs their code cells without
// Jupyter.
//
// [Read] gives the cells of a file of nbformat 4, [Cells] those of a text file;
// [Run] runs them one after the other, with a [Console] in place of a front end:
//
//	nb, err := notebook.Read("a.ipynb")
//	status := notebook.Run(ctx, nb, interp.New(interp.Options{}), notebook.NewConsole(os.Stdin, os.Stdout, os.Stderr), notebook.Options{})
package notebook
