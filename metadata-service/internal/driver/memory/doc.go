// Package memory keeps all data in the memory of the process. It is the reference implementation of
// the ports, for tests and demonstrations.
//
// The code favours obvious correctness over speed: listings walk all data. It passes the same
// conformance suites as the durable drivers, which are compared with it.
package memory
