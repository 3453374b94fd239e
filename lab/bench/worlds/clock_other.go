//go:build !linux

package main

import "time"

var started = time.Now()

// processTime returns the time on the wall: this system offers no processor time of threads.
func processTime() time.Duration { return time.Since(started) }

// threadTime returns 0: all time is the readers'.
func threadTime() time.Duration { return 0 }
