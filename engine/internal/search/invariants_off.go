//go:build !invariants

package search

// invariants says whether scoring checks the bounds that it relies on.
const invariants = false
