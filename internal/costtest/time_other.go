//go:build !unix

package costtest

import "time"

var start = time.Now()

// spent returns the time since this process started, where the system tells no processor time.
func spent() time.Duration { return time.Since(start) }
