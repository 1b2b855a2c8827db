package credentials

import "context"

// Occupy takes all turns for hashing until release is called.
func (s *Service) Occupy() (release func()) {
	l := &s.hasher.queue
	l.mu.Lock()
	defer l.mu.Unlock()
	places := l.atOnce - l.running
	l.running += places
	return func() {
		for range places {
			l.leave()
		}
	}
}

// Enter waits for a turn for hashing.
func (s *Service) Enter(ctx context.Context) (leave func(), err error) {
	return s.hasher.queue.enter(ctx)
}

// Waiting returns the number of clients that wait or compute.
func (s *Service) Waiting() int {
	l := &s.hasher.queue
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.running + l.knownClients.waiting + l.otherClients.waiting
}

// Decoy returns the hash that is computed for users that do not exist.
func (s *Service) Decoy() string { return s.hasher.decoy.String() }

// MatchEncoded compares the password "password" with a stored hash.
func (s *Service) MatchEncoded(ctx context.Context, stored string) (bool, error) {
	return s.hasher.matches(ctx, stored, "password")
}
