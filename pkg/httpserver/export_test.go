package httpserver

// CountHeaderLines returns the number of lines of each framing header for a stream that arrives in
// the given pieces.
func CountHeaderLines(pieces ...[]byte) (lengths, codings int64) {
	var lines headerLines
	for _, piece := range pieces {
		lines.scan(piece)
	}
	return lines.lengths.Load(), lines.codings.Load()
}

// MaxGzipWriters is the maximum number of responses compressed at a time.
const MaxGzipWriters = maxGzipWriters

// IdleConnections returns the number of idle connections of a server.
func IdleConnections(s *Server) int {
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	return s.open.idle.Len()
}

// LongHeads returns the number of connections with a place for reading a long head.
func LongHeads(s *Server) int {
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	return s.open.longHeads
}

// WaitsForItsClient reports whether any request in progress waits for its client.
func WaitsForItsClient(s *Server) bool {
	s.inProgress.mu.Lock()
	defer s.inProgress.mu.Unlock()
	for _, all := range s.inProgress.byClient {
		for e := all.Front(); e != nil; e = e.Next() {
			if e.Value.(*clientWait).waits.Load() {
				return true
			}
		}
	}
	return false
}
