//go:build linux || darwin

package bench

import (
	"syscall"
	"time"
)

// cpuTime is the processor time that the process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// syncedWrites is the flag of a file whose writes return when their bytes, but
// not the time of the change, are on the disk, as those of a log do.
const syncedWrites = syscall.O_DSYNC
