//go:build unix

package costtest

import (
	"syscall"
	"time"
)

// spent returns the processor time of this process since it started, on all cores, in user and in system mode. Other
// processes do not change it.
func spent() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // the arguments are right
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
