//go:build unix

package main

import "syscall"

// noCoreDumps keeps the kernel from writing the memory of this process to disk
// when it crashes: queries are in it.
func noCoreDumps() error { return syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
