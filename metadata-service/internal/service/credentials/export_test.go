package credentials

import "context"

// Occupy takes all places for hashing until release is called.
func (s *Service) Occupy() (release func()) {
	for range cap(s.hasher.slots) {
		s.hasher.queue <- struct{}{}
		s.hasher.slots <- struct{}{}
	}
	return func() {
		for range cap(s.hasher.slots) {
			<-s.hasher.slots
			<-s.hasher.queue
		}
	}
}

// Waiting is how many hold a place in the queue or compute.
func (s *Service) Waiting() int { return len(s.hasher.queue) }

// Decoy is what is computed for users that do not exist.
func (s *Service) Decoy() string { return s.hasher.decoy.String() }

// MatchEncoded compares a password with a stored text.
func (s *Service) MatchEncoded(ctx context.Context, stored string) (bool, error) {
	return s.hasher.matches(ctx, stored, "password")
}
