package projection

import (
	"context"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// page caches the page of the log that was read last. Sinks that keep up read the same page within
// moments of each other, so only the first of them reads the log.
type page struct {
	mu      sync.Mutex
	after   uint64
	entries []store.Entry
}

// maxPageBytes bounds the total size of the values in a cached page.
const maxPageBytes = 1 << 20

// read returns the entries after a sequence. Callers share the slice and must not change it.
func (p *page) read(ctx context.Context, log store.Log, after uint64) ([]store.Entry, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.entries != nil && p.after == after {
		return p.entries, nil
	}
	entries, err := log.Entries(ctx, after, pageSize)
	p.after, p.entries = after, nil
	size := 0
	for i := range entries {
		size += len(entries[i].Value)
	}
	if err == nil && len(entries) > 0 && size <= maxPageBytes {
		p.entries = entries
	}
	return entries, err
}
