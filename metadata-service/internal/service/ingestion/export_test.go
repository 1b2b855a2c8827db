package ingestion

import "time"

// Due reports whether a schedule is due in a minute.
func Due(s Schedule, at time.Time) bool {
	_, due := s.latest(at.Add(-time.Minute), at)
	return due
}
