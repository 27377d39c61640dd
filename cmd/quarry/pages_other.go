//go:build !linux

package main

// giveProgramPages does nothing: it is for Linux.
func giveProgramPages() error { return nil }
