//go:build !unix

package bench

import "time"

// Clock returns the time on the wall: this system offers no processor time.
func Clock() time.Duration { return time.Duration(time.Now().UnixNano()) }
