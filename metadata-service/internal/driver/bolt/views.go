package bolt

import (
	"runtime"
	"sync"
)

// viewPool keeps read transactions of the committed state open for the next reader.
// Beginning one and finding its buckets takes longer than reading a row.
//
// An open transaction keeps the pages of its state from being used again, and the file
// from growing. So none is idle while a write is under way: the writer empties the pool
// before it begins, and until it resumes the pool takes none. A transaction that saw an
// older state than that of the last commit never comes back into the pool. It is safe
// for concurrent use; the zero value is an empty pool.
type viewPool struct {
	mu     sync.Mutex
	idle   []*view
	paused bool
	state  uint64 // counts the pauses
}

// maxIdleViews bounds the transactions that wait for a reader.
func maxIdleViews() int { return 2 * runtime.GOMAXPROCS(0) }

// take gives an idle view of the committed state. When there is none it gives the state
// that a view begun from here on belongs to.
func (p *viewPool) take() (v *view, state uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.idle) - 1
	if last < 0 {
		return nil, p.state
	}
	v = p.idle[last]
	p.idle[last] = nil
	p.idle = p.idle[:last]
	return v, p.state
}

// put takes a view back, and reports whether it did. Otherwise the caller ends it.
func (p *viewPool) put(v *view) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paused || v.state != p.state || len(p.idle) >= maxIdleViews() {
		return false
	}
	p.idle = append(p.idle, v)
	return true
}

// pause empties the pool until resume is called.
func (p *viewPool) pause() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.paused = nil, true
	p.mu.Unlock()
	for _, v := range idle {
		v.end()
	}
}

// resume lets views in again that are begun from here on.
func (p *viewPool) resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused = false
	p.state++
}

// end ends the transaction of a view that reads what is committed.
func (v *view) end() { _ = v.tx.Rollback() } // the only error is that it has ended already

// onView runs fn on a view of what is committed now.
func (s *Store) onView(fn func(*view) error) error {
	v, err := s.beginView()
	if err != nil {
		return err
	}
	sound := false
	defer func() {
		if !sound || !s.views.put(v) {
			v.end()
		}
	}()
	err = fn(v)
	sound = err == nil
	return err
}

func (s *Store) beginView() (*view, error) {
	v, state := s.views.take()
	if v != nil {
		return v, nil
	}
	tx, err := s.db.Begin(false)
	if err != nil {
		return nil, err
	}
	return &view{tx: tx, names: s.names, learned: s.names, state: state}, nil
}
