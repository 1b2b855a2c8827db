// Package ratelimit bounds how often somebody may do something: requests of an
// address or an actor by token buckets ([Buckets], [Limiter]), and guesses of
// secrets by delays that grow with each failure ([Attempts], [Guard]).
//
// All state is in memory and bounded: of a million addresses the ones used last are
// remembered, and the others begin anew. Addresses of IPv6 count by their /64, which
// one customer has to itself.
package ratelimit
