//go:build !linux && !darwin

package bench

import (
	"os"
	"time"
)

// cpuTime is not known here.
func cpuTime() time.Duration { return 0 }

const syncedWrites = os.O_SYNC
