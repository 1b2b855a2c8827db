package indexing

// WaitingAhead returns the number of writers who apply their entries ahead or wait for that.
func (x *Indexer) WaitingAhead() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.ahead)
}
