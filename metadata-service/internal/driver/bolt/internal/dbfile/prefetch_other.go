//go:build !linux

package dbfile

// Prefetch does nothing on this system.
func Prefetch([]byte) {}
