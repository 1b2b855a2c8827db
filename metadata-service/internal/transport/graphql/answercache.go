package graphql

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// Limits of the cached answers: explorers and generators send few documents, and the
// answer for the whole schema is some megabytes.
const (
	maxAnswers     = 4
	maxAnswerBytes = 8 << 20
)

// answerCache caches answers of documents whose answer depends on nothing else, the
// most recently used last. The zero value is ready. It is safe for concurrent use;
// what it gives must not be changed.
type answerCache struct {
	mu      sync.Mutex
	entries []cachedAnswer
}

type cachedAnswer struct {
	document *document.Document
	data     json.RawMessage
}

func (a *answerCache) get(d *document.Document) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.entries, func(known cachedAnswer) bool { return known.document == d })
	if i < 0 {
		return nil, false
	}
	found := a.entries[i]
	a.entries = append(slices.Delete(a.entries, i, i+1), found)
	return found.data, true
}

func (a *answerCache) put(d *document.Document, data json.RawMessage) {
	if len(data) > maxAnswerBytes {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if slices.ContainsFunc(a.entries, func(known cachedAnswer) bool { return known.document == d }) {
		return
	}
	if len(a.entries) == maxAnswers {
		a.entries = slices.Delete(a.entries, 0, 1)
	}
	a.entries = append(a.entries, cachedAnswer{d, slices.Clip(slices.Clone(data))})
}
