// Package source finds the source that the program was built from, the modules
// it needs included, and copies parts of it into other programs.
//
// [Open] looks for it: GOPHERLO_SOURCE (a folder or a zip), PROGRAM.src.zip beside
// the program, share/gopherlo/src.zip of the prefix that it is installed in,
// and the checkout that it was built in. [Source.Packages] finds what packages
// need, [Source.WriteVendor] writes that as a vendor folder: a program with it builds
// without network, module cache or checkout.
package source
