//go:build !unix

package main

import "time"

// clock returns the time on the wall: this system offers no processor time.
func clock() time.Duration { return time.Since(started) }
