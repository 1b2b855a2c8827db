// Package footprint keeps a program that waits for requests small.
package footprint

import "runtime/debug"

// Trim gives back memory that the start of a program needs and its further life does not: garbage,
// and the pages of its own file, of which only those are read again that are used. It is called once
// everything is ready; what is used later is slower once, by microseconds.
func Trim() {
	debug.FreeOSMemory()
	trimProgram()
}
