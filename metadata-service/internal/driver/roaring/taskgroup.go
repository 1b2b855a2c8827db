package roaring

import (
	"sync"
	"sync/atomic"
)

// taskGroup runs parts of a query in parallel, each in a goroutine. wait repeats the panic of a
// part, so that the caller of the query handles it.
type taskGroup struct {
	tasks    sync.WaitGroup
	panicked atomic.Pointer[any]
}

func (b *taskGroup) start(do func()) {
	b.tasks.Go(func() {
		defer func() {
			if p := recover(); p != nil {
				b.panicked.CompareAndSwap(nil, &p)
			}
		}()
		do()
	})
}

// wait returns when all parts have ended.
func (b *taskGroup) wait() {
	b.tasks.Wait()
	if p := b.panicked.Load(); p != nil {
		panic(*p)
	}
}
