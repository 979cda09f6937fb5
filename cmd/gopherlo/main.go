// Command gopherlo is the Jupyter kernel and its tools.
package main

func main() {}
