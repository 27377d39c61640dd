//go:build !amd64

package vector

const (
	wide     = false
	wideStep = 1
	addStep  = 1
)

func dotWide(a, b *byte, n int) int32 { return 0 } // is not called

func addWide(to *float32, steps *byte, f float32, n int) {} // is not called
