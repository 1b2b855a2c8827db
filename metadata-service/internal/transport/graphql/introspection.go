package graphql

import (
	"encoding/json"
	"sync"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

// maxAnswers is how many answers about the schema are kept. Clients ask few
// different ones, and some of a megabyte, which take half a second to make.
const maxAnswers = 32

// answers remembers what documents that ask about the schema alone were
// answered. The schema does not change while the process runs.
type answers struct {
	mu   sync.Mutex
	kept map[string]Response
}

func answerKey(d *document.Document, variables map[string]any) string {
	spelled, err := json.Marshal(variables) // sorts by name
	if err != nil {
		return ""
	}
	return d.Operation() + "\x00" + string(spelled) + "\x00" + d.Text()
}

func (a *answers) get(d *document.Document, variables map[string]any) (Response, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, ok := a.kept[answerKey(d, variables)]
	return r, ok
}

func (a *answers) put(d *document.Document, variables map[string]any, r Response) {
	key := answerKey(d, variables)
	if key == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept == nil || len(a.kept) >= maxAnswers {
		a.kept = make(map[string]Response)
	}
	a.kept[key] = r
}
