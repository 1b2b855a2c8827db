// Package ratelimit limits the frequency of actions: requests of an address or an actor by token
// buckets ([Buckets], [Limiter]), and guesses of secrets by delays that grow with each failure
// ([Attempts], [Guard]).
//
// All state is in memory and bounded: among many addresses only the most recently used are kept,
// and the others start again. IPv6 addresses are counted by their /64, the network of one customer.
package ratelimit
