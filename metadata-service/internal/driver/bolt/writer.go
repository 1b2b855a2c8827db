package bolt

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	groupSize  = 128     // functions in one commit at most
	groupBytes = 2 << 20 // written by a group before it is closed, and announced by its large members unless it is one
)

// longGroup is how long a group of large updates may take while small ones wait. After a longer one small updates have the
// writer for as long, so that whoever sends one large update after the other leaves half of the time to others.
const longGroup = 250 * time.Millisecond

// writeLoop is the writer goroutine: the only one that changes the file. Close
// waits for its end.
func (s *Store) writeLoop() {
	ended := false
	defer func() {
		if value := recover(); value != nil {
			s.condition.Damaged(dbfile.Recovered(s.db.Path(), value))
		}
		if ended {
			close(s.queue.drained)
			return
		}
		// A panic beyond the guards, or a function that has left by runtime.Goexit as a test's
		// FailNow does, took the goroutine along. Its group has been answered; the others still wait.
		go s.writeLoop()
	}()
	for {
		first := s.queue.wait(s.largeNext, s.smallUntil)
		if first == nil {
			ended = true
			return
		}
		s.largeNext = !first.isLarge()
		began := time.Now()
		tookSmall := s.writeGroup(first)
		s.giveWay(first, began, time.Now(), tookSmall || s.queue.hasSmall())
	}
}

// giveWay leaves the writer to small updates for as long as a group took that a large one opened, if it took long and small
// ones had to wait for it.
func (s *Store) giveWay(first *request, began, ended time.Time, smallWaited bool) {
	if took := ended.Sub(began); first.isLarge() && took > longGroup && smallWaited {
		s.smallUntil = ended.Add(took)
	}
}

// group is the updates that share a commit.
type group struct {
	members []*request
	tx      *bbolt.Tx
	view    *view
	// What follows is of the members that succeeded so far.
	counters counters
	bytes    int
	changed  bool
	entries  []store.Entry // that they appended
}

// writeGroup runs first and whoever else is waiting in one transaction, and
// answers them all. It reports whether a small update was among them.
func (s *Store) writeGroup(first *request) (tookSmall bool) {
	g := &group{members: []*request{first}}
	answered := false
	defer func() {
		if !answered {
			s.abort(g)
			g.answer(fault.New(fault.Internal, "the update was given up: a function of its group ended its goroutine"))
		}
	}()
	err := s.poisoned
	if err != nil {
		s.condition.Note(err)
	}
	for err == nil {
		var rejected *request
		if rejected, err = s.tryGroup(g); rejected == nil {
			break
		}
		// One member could not be laid into the file. The others start over without it.
		g.remove(rejected)
		rejected.err, err = err, nil
		close(rejected.done)
	}
	answered = true
	g.answer(err)
	return g.hasSmall()
}

// hasSmall reports whether a small update is among the members.
func (g *group) hasSmall() bool {
	return slices.ContainsFunc(g.members, func(r *request) bool { return !r.isLarge() })
}

// announced is how many bytes the large members want to write, 0 when there are none.
func (g *group) announced() (bytes int) {
	for _, member := range g.members {
		if member.isLarge() {
			bytes += member.size
		}
	}
	return bytes
}

func (g *group) remove(r *request) {
	for i, member := range g.members {
		if member == r {
			g.members = append(g.members[:i:i], g.members[i+1:]...)
			return
		}
	}
}

// answer lets the callers go: with their own results, or all with err.
func (g *group) answer(err error) {
	for _, member := range g.members {
		if err != nil {
			member.commit, member.err = store.Commit{}, err
		}
		close(member.done)
	}
}

// abort ends the transaction of a group that has not been committed.
func (s *Store) abort(g *group) {
	if g.tx == nil {
		return
	}
	tx := g.tx
	g.tx = nil
	err := dbfile.Guard(s.db.Path(), func() error {
		_ = tx.Rollback() // the only error is that it has ended already
		return nil
	})
	if err != nil {
		s.stuck = true
		_ = s.poison(err)
	}
}

// poison ends writing for good: what the file holds can no longer be relied on.
func (s *Store) poison(err error) error {
	s.noteDamage(err)
	s.poisoned = fault.Wrap(err, fault.Unavailable, "the store takes no writes since its file was found to be damaged; the log of the service says what to do")
	s.condition.Note(s.poisoned)
	return s.poisoned
}

// tryGroup runs the members, takes up those who come meanwhile, and commits.
// A rejected member is one whose writes the file refused: the whole transaction
// is rolled back then, and err is the member's own.
func (s *Store) tryGroup(g *group) (rejected *request, err error) {
	s.views.pause()
	defer s.views.resume()
	err = dbfile.Guard(s.db.Path(), func() (err error) {
		g.tx, err = s.db.Begin(true)
		return err
	})
	if isDamage(err) {
		s.stuck = true
		return nil, s.poison(err)
	}
	if err != nil {
		return nil, s.writeFailed(translate(err), "begin a write")
	}
	defer s.abort(g)
	learned := newDictionaryCache()
	g.view = &view{tx: g.tx, names: s.names, learned: learned}
	g.counters, g.bytes, g.changed, g.entries = s.counters, 0, false, nil
	s.pace.waited = 0
	for i := 0; i < len(g.members) || s.grow(g); i++ {
		err := s.run(g, g.members[i])
		if isDamage(err) {
			return nil, s.poison(err)
		}
		if err != nil {
			return g.members[i], err
		}
	}
	if !g.changed {
		return nil, nil
	}
	began := time.Now()
	if err := s.commit(g); err != nil {
		return nil, err
	}
	s.condition.Note(nil)
	if g.announced() == 0 {
		s.pace.note(len(g.members), time.Since(began))
	}
	s.counters = g.counters
	s.names.merge(learned)
	s.log.advance(g.counters.sequence, g.entries)
	return nil, nil
}

// grow takes up one more member if there is one, or is likely to come, and it
// has room. Callers that were just answered get a chance to come back: a group
// that closes too early costs a disk sync.
//
// A commit takes the longer the more it writes. So a group that a small update has opened takes
// no large ones: small updates that arrive during a large commit wait for no further one. The
// next group takes large ones again, as many as its bytes allow, so that they wait for at most
// one group of small updates each time.
func (s *Store) grow(g *group) bool {
	if len(g.members) >= groupSize || g.bytes >= groupBytes {
		return false
	}
	next, large := s.queue.takeSmall(), g.announced()
	switch {
	case next != nil:
	case large > 0:
		next = s.queue.takeLarge(groupBytes - large)
	default:
		next = s.pace.await(&s.queue, len(g.members))
	}
	if next == nil {
		return false
	}
	g.members = append(g.members, next)
	return true
}

// run carries out one member. Its own failure is noted in it and concerns
// nobody else; the error returned says that the file refused its writes.
func (s *Store) run(g *group, r *request) error {
	r.commit = store.Commit{}
	tx := &tx{under: g.view, counters: g.counters}
	if r.err = tx.call(s.db.Path(), r.fn); r.err != nil {
		s.noteDamage(r.err)
		return nil
	}
	if err := dbfile.Guard(s.db.Path(), tx.apply); err != nil {
		return err
	}
	if tx.counters.sequence > g.counters.sequence {
		r.commit = store.Commit{First: g.counters.sequence + 1, Last: tx.counters.sequence}
	}
	g.counters = tx.counters
	g.bytes += tx.overlay.bytes
	g.changed = g.changed || tx.overlay.bytes > 0
	g.entries = append(g.entries, tx.entries...)
	return nil
}

// call runs fn; a panic becomes its error.
func (tx *tx) call(path string, fn func(*tx) error) error {
	defer func() { tx.over = true }()
	return dbfile.Guard(path, func() error { return fn(tx) })
}

// apply lays the overlay into the transaction of the group, in key order.
func (tx *tx) apply() (err error) {
	for b := range bucketCount {
		for w := range tx.overlay.buckets[b].within(nil, nil) {
			if w.value == nil {
				err = tx.under.bucket(b).Delete(w.key)
			} else {
				err = tx.under.bucket(b).Put(w.key, w.value)
			}
			if err != nil {
				return fault.Wrap(fmt.Errorf("bucket %s: %w", bucketNames[b], err), fault.Internal, "lay an update into the file")
			}
		}
	}
	return nil
}

// commit makes the group durable. When it fails before the meta page was
// written (a full disk, say) nothing has changed and later groups may succeed.
// When the meta page was written and could not be synced, nobody knows which
// state the disk holds; reusing the pages of the older one might destroy it.
// The store then takes no more writes.
func (s *Store) commit(g *group) error {
	txid := g.tx.ID()
	err := dbfile.Guard(s.db.Path(), g.tx.Commit)
	s.abort(g)
	if isDamage(err) {
		return s.poison(err)
	}
	if err == nil {
		return nil
	}
	written := false
	probe := dbfile.Guard(s.db.Path(), func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			written = tx.ID() >= txid
			return nil
		})
	})
	if written || probe != nil {
		s.poisoned = fault.Wrap(errors.Join(err, probe), fault.Unavailable,
			"the store takes no writes since the disk failed; check the disk and restart the service")
	}
	return s.writeFailed(err, "commit to the store")
}

// writeFailed gives an error of the file a kind, and takes it down for Condition.
func (s *Store) writeFailed(err error, doing string) error {
	err = dbfile.Translate(err)
	if fault.KindOf(err) == fault.Internal {
		err = fault.Wrap(err, fault.Internal, "%s", doing)
	} else {
		err = fmt.Errorf("%s: %w", doing, err)
	}
	s.condition.Note(err)
	return err
}
