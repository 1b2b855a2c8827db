package bolt

import (
	"runtime"
	"sync"
)

// viewPool keeps read transactions of the committed state open for reuse. Beginning a transaction
// and finding its buckets takes longer than reading a row.
//
// An open transaction prevents the reuse of the pages of its state, so the file grows. The pool
// therefore holds none during a write: the writer empties the pool before it begins, and the pool
// accepts none until resume. A transaction on an older state than the last commit never returns to
// the pool. The pool is safe for concurrent use; the zero value is an empty pool.
type viewPool struct {
	mu     sync.Mutex
	idle   []*view
	paused bool
	state  uint64 // counts the pauses
}

// maxIdleViews returns the maximum number of idle transactions.
func maxIdleViews() int { return 2 * runtime.GOMAXPROCS(0) }

// take returns an idle view of the committed state. When there is none, it returns the pool state
// to record in a view that the caller begins now.
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

// put returns a view to the pool and reports whether the pool accepted it. Otherwise the caller
// must end the view.
func (p *viewPool) put(v *view) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paused || v.state != p.state || len(p.idle) >= maxIdleViews() {
		return false
	}
	p.idle = append(p.idle, v)
	return true
}

// pause empties the pool, which stays empty until resume.
func (p *viewPool) pause() {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.paused = nil, true
	p.mu.Unlock()
	for _, v := range idle {
		v.end()
	}
}

// resume accepts views again, but only those that begin after this call.
func (p *viewPool) resume() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.paused = false
	p.state++
}

// end ends the transaction of a view of the committed state.
func (v *view) end() { _ = v.tx.Rollback() } // the only possible error is that it has already ended

// onView runs fn on a view of the current committed state.
func (s *Store) onView(fn func(*view) error) error {
	v, err := s.beginView()
	if err != nil {
		return err
	}
	succeeded := false
	defer func() {
		if s.isStuck() {
			return // ending a transaction would wait for ever
		}
		if !succeeded || !s.views.put(v) {
			v.end()
		}
	}()
	err = fn(v)
	succeeded = err == nil
	return err
}

func (s *Store) beginView() (*view, error) {
	v, state := s.views.take()
	if v != nil {
		return v, nil
	}
	tx, err := s.begin(false)
	if err != nil {
		return nil, err
	}
	return &view{tx: tx, names: s.names, readCache: s.names, state: state}, nil
}
