package bolt

import "time"

// pace decides whether a group that has run out of members waits for more.
//
// Callers who write one after the other come back together, a moment after they
// were answered together: the time it takes to tell a client and to hear from it
// again. A group that closes on the first of them makes all others wait for two
// commits instead of one. So a group waits until it has as many members as the one
// before, but no longer than half a commit takes; a lone writer, whose groups
// are of one, never waits. Groups with large updates neither wait nor count: the
// next body of their callers takes longer to arrive.
type pace struct {
	expected int           // members of the group before
	commit   time.Duration // how long a commit takes, on average of late
	waited   time.Duration // by the group at hand
}

// longestWait bounds the wait on disks whose commits take very long.
const longestWait = 2 * time.Millisecond

// note tells of a group that was committed.
func (p *pace) note(members int, took time.Duration) {
	const weight = 8
	if p.commit == 0 {
		p.commit = took
	}
	p.commit += (took - p.commit) / weight
	p.expected = members
}

// await waits for one more small member of a group, nil when none is to be expected.
func (p *pace) await(q *queue, members int) *request {
	patience := min(p.commit/2, longestWait)
	if members >= p.expected || p.waited >= patience {
		return nil
	}
	began := time.Now()
	defer func() { p.waited += time.Since(began) }()
	timer := time.NewTimer(patience - p.waited)
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
