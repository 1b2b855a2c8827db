package httpserver

// CountHeaderLines is how many lines of each framing header a connection shows
// whose stream arrives in these pieces.
func CountHeaderLines(pieces ...[]byte) (lengths, codings int64) {
	var lines headerLines
	for _, piece := range pieces {
		lines.scan(piece)
	}
	return lines.lengths.Load(), lines.codings.Load()
}

// MaxGzipWriters is how many answers are compressed at a time.
const MaxGzipWriters = maxGzipWriters

// IdleConnections is how many connections of a server wait for their next request.
func IdleConnections(s *Server) int {
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	return s.open.idle.Len()
}

// LongHeads is how many connections of a server have a place to read a long head.
func LongHeads(s *Server) int {
	s.open.mu.Lock()
	defer s.open.mu.Unlock()
	return s.open.longHeads
}

// WaitsForItsClient reports whether some request under way waits for its client.
func WaitsForItsClient(s *Server) bool {
	s.underWay.mu.Lock()
	defer s.underWay.mu.Unlock()
	for _, all := range s.underWay.byClient {
		for e := all.Front(); e != nil; e = e.Next() {
			if e.Value.(*clientWait).waits.Load() {
				return true
			}
		}
	}
	return false
}
