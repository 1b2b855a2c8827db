package backup

// Abandon ends a restore as the end of its process does.
func (s *Staged) Abandon() error { return s.lock.Close() }
