package indexing

// WaitingAhead returns the number of writers whose entries wait to be applied ahead.
func (x *Indexer) WaitingAhead() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.ahead)
}
