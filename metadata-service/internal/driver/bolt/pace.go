package bolt

import "time"

// pace decides whether a group with no further waiting members should wait for more.
//
// Callers that write repeatedly return together: the writer answers them at the same time, and
// their next updates arrive after one round trip to the client. A group that closes after the first
// of them forces all others to wait for two commits instead of one. A group therefore waits until
// it has as many members as the group before, but at most half the duration of a commit. A single
// writer has groups of one and never waits. Groups with large updates neither wait nor count: the
// next request body of their callers takes longer to arrive.
type pace struct {
	expected int           // number of members of the previous group
	commit   time.Duration // moving average of the duration of a commit
	waited   time.Duration // time the current group has waited
}

// longestWait limits the wait on disks with very slow commits.
const longestWait = 2 * time.Millisecond

// note records a committed group.
func (p *pace) note(members int, took time.Duration) {
	const weight = 8
	if p.commit == 0 {
		p.commit = took
	}
	p.commit += (took - p.commit) / weight
	p.expected = members
}

// await waits for one more small member of a group. It returns nil when none is expected, or none
// arrives in time.
func (p *pace) await(q *queue, members int) *request {
	maxWait := min(p.commit/2, longestWait)
	if members >= p.expected || p.waited >= maxWait {
		return nil
	}
	began := time.Now()
	defer func() { p.waited += time.Since(began) }()
	timer := time.NewTimer(maxWait - p.waited)
	defer timer.Stop()
	for {
		select {
		case <-q.wake:
			if next := q.takeSmall(); next != nil {
				return next
			}
		case <-timer.C:
			return q.takeSmall()
		}
	}
}
