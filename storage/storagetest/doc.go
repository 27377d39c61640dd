// Package storagetest has file systems for tests of what is built on package
// storage: one that crashes ([CrashFS]), one whose operations fail on demand
// ([NewFaultFS]) and one that fills up ([FullFS]). All of them are passed as
// storage.Options.FS, live in memory, and may be used by many goroutines.
package storagetest
