//go:build !unix

package main

// noCoreDumps does nothing where there are none.
func noCoreDumps() error { return nil }
