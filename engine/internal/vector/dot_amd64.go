package vector

import "golang.org/x/sys/cpu"

// wide tells whether dotWide may be called.
var wide = cpu.X86.HasAVX2

// wideStep is what the lengths of dotWide are multiples of.
const wideStep = 32

// dotWide is dotBytes of n bytes each, a positive multiple of wideStep, by AVX2.
//
//go:noescape
func dotWide(a, b *byte, n int) int32

// addStep is what the lengths of addWide are multiples of.
const addStep = 8

// addWide is addSteps of n bytes, a positive multiple of addStep, by AVX2.
//
//go:noescape
func addWide(to *float32, steps *byte, f float32, n int)
