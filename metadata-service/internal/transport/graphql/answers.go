package graphql

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// Answers that are kept: explorers and generators ask few documents, and the
// answer for the whole schema is some megabytes.
const (
	maxAnswers     = 4
	maxAnswerBytes = 8 << 20
)

// answers keeps answers of documents whose answer depends on nothing else, the
// most recently used last. The zero value is ready. It is safe for concurrent use;
// what it gives must not be changed.
type answers struct {
	mu   sync.Mutex
	kept []answer
}

type answer struct {
	of   *document.Document
	data json.RawMessage
}

func (a *answers) get(d *document.Document) (json.RawMessage, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.kept, func(known answer) bool { return known.of == d })
	if i < 0 {
		return nil, false
	}
	found := a.kept[i]
	a.kept = append(slices.Delete(a.kept, i, i+1), found)
	return found.data, true
}

func (a *answers) keep(d *document.Document, data json.RawMessage) {
	if len(data) > maxAnswerBytes {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if slices.ContainsFunc(a.kept, func(known answer) bool { return known.of == d }) {
		return
	}
	if len(a.kept) == maxAnswers {
		a.kept = slices.Delete(a.kept, 0, 1)
	}
	a.kept = append(a.kept, answer{d, slices.Clip(slices.Clone(data))})
}
