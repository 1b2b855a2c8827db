package roaring

import (
	"sync"
	"sync/atomic"
)

// beside runs parts of a query in goroutines of their own. A panic of one is
// that of the query, whose caller knows what to do with it.
type beside struct {
	work     sync.WaitGroup
	panicked atomic.Pointer[any]
}

func (b *beside) run(do func()) {
	b.work.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				b.panicked.CompareAndSwap(nil, &p)
			}
		}()
		do()
	})
}

// wait returns when all are done.
func (b *beside) wait() {
	b.work.Wait()
	if p := b.panicked.Load(); p != nil {
		panic(*p)
	}
}
