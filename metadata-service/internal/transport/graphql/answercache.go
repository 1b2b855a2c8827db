package graphql

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// Limits of the response cache: explorers and code generators send few different documents, and
// the response with the whole schema has some megabytes.
const (
	maxAnswers     = 4
	maxAnswerBytes = 8 << 20
)

// answerCache is an LRU cache of responses that depend on nothing but the document. The most
// recently used entry is last. The zero value is ready. It is safe for concurrent use; callers
// must not change the returned data.
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
