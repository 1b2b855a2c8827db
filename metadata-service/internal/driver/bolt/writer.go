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
	groupSize  = 128     // maximum number of functions in one commit
	groupBytes = 2 << 20 // a group that has written this many bytes is closed; also the limit on the bytes that its large members announce, unless it has only one
)

// longGroup is the longest time a group of large updates may take while small updates wait. After a
// longer group, large updates wait for as long as the group took, so a client that sends large
// updates without pause leaves half of the time to others.
const longGroup = 250 * time.Millisecond

// writeLoop is the writer goroutine, the only one that changes the file. Close waits for its end.
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
		// The goroutine ended by a panic outside the guards, or because an update function called
		// runtime.Goexit, as FailNow of a test does. Its group has been answered; the other
		// requests still wait.
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
		s.reserveForSmall(first, began, time.Now(), tookSmall || s.queue.hasSmall())
	}
}

// reserveForSmall reserves the writer for small updates for the duration of the last group, if a
// large update opened that group, it took longer than longGroup, and small updates had to wait for
// it.
func (s *Store) reserveForSmall(first *request, began, ended time.Time, smallWaited bool) {
	if took := ended.Sub(began); first.isLarge() && took > longGroup && smallWaited {
		s.smallUntil = ended.Add(took)
	}
}

// group is a set of updates that share a commit.
type group struct {
	members []*request
	tx      *bbolt.Tx
	view    *view
	// The following fields cover the members that have succeeded so far.
	counters counters
	bytes    int
	changed  bool
	entries  []store.Entry // entries the members appended
}

// writeGroup runs first and the other waiting requests in one transaction, and answers all of them.
// It reports whether one of them was a small update.
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
		// The file refused the writes of one member. The others start over without it.
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

// announced returns the number of bytes that the large members announced, 0 when there are none.
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

// answer releases the callers of the group: with their own results, or all with err.
func (g *group) answer(err error) {
	for _, member := range g.members {
		if err != nil {
			member.commit, member.err = store.Commit{}, err
		}
		close(member.done)
	}
}

// abort ends the transaction of a group unless it is already ended.
func (s *Store) abort(g *group) {
	if g.tx == nil {
		return
	}
	tx := g.tx
	g.tx = nil
	err := dbfile.Guard(s.db.Path(), func() error {
		_ = tx.Rollback() // the only possible error is that it has already ended
		return nil
	})
	if err != nil {
		s.txNotEnded = true
		_ = s.poison(err)
	}
}

// poison ends all writing: the contents of the file are no longer reliable.
func (s *Store) poison(err error) error {
	s.noteDamage(err)
	s.poisoned = fault.Wrap(err, fault.Unavailable, "the store accepts no writes because its file is damaged; see the log of the service and docs/operations.md")
	s.condition.Note(s.poisoned)
	return s.poisoned
}

// tryGroup runs the members, admits requests that arrive meanwhile, and commits. A rejected member
// is one whose writes the file refused: the whole transaction is then rolled back, and err belongs
// to that member.
func (s *Store) tryGroup(g *group) (rejected *request, err error) {
	if err := s.checkInPlace(); err != nil {
		s.condition.Note(err)
		return nil, err
	}
	if !s.isStuck() {
		s.views.pause()
		defer s.views.resume()
	}
	err = dbfile.Guard(s.db.Path(), func() (err error) {
		g.tx, err = s.begin(true)
		return err
	})
	if isDamage(err) {
		s.txNotEnded = true
		return nil, s.poison(err)
	}
	if err != nil {
		return nil, s.writeFailed(translate(err), "begin a write")
	}
	defer s.abort(g)
	readEntries := newDictionaryCache()
	g.view = &view{tx: g.tx, names: s.names, readCache: readEntries}
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
	s.names.merge(readEntries)
	s.log.advance(g.counters.sequence, g.entries)
	// The file may have been removed while the group ran.
	if err := s.checkInPlace(); err != nil {
		s.condition.Note(err)
		return nil, err
	}
	return nil, nil
}

// grow adds one more member if one is waiting or expected and the group has room. Callers that were
// just answered get time to return: a group that closes too early costs a disk sync.
//
// The duration of a commit grows with the bytes it writes. A group opened by a small update
// therefore takes no large ones, so small updates that arrive during a large commit wait for no
// further one. The next group takes large updates again, as many as its bytes allow, so these wait
// for at most one group of small updates each time.
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

// run executes one member. A failure of the member is recorded in it and does not affect the
// others; a returned error means that the file refused the writes of the member.
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

// call runs fn and converts a panic into an error.
func (tx *tx) call(path string, fn func(*tx) error) error {
	defer func() { tx.over = true }()
	return dbfile.Guard(path, func() error { return fn(tx) })
}

// apply writes the overlay to the transaction of the group, in key order.
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

// commit makes the group durable. If it fails before it has written the meta page (for example on a
// full disk), nothing has changed and later groups may succeed. If the meta page was written but
// not synced, the state on the disk is unknown, and reusing the pages of the older state might
// destroy it. The store then accepts no more writes.
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

// writeFailed assigns a kind to an error of the file and records it for Condition.
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
