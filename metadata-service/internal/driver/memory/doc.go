// Package memory keeps everything in the memory of the process: the reference
// implementation of the ports, for tests and demonstrations.
//
// It is written to be obviously right rather than fast: listings walk all there
// is. It passes the same suites as the durable drivers and is what they are
// compared with.
package memory
