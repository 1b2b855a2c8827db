//go:build !unix

package backup

import "os"

// lockFolder opens the directory, which this system cannot lock.
func lockFolder(path string) (*os.File, error) { return os.Open(path) }
