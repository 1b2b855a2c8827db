package idle_test

import (
	"context"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
)

// turns counts the turns of a request.
type turns struct{ paused, resumed int }

func (t *turns) Pause()                 { t.paused++ }
func (t *turns) Resume(context.Context) { t.resumed++ }

func TestATurnIsGivenBackForTheTimeOfAWait(t *testing.T) {
	t.Parallel()
	var of turns
	end := idle.Begin(idle.With(t.Context(), &of))
	if of != (turns{paused: 1}) {
		t.Errorf("in the wait: %+v", of)
	}
	if end(); of != (turns{1, 1}) {
		t.Errorf("behind it: %+v", of)
	}
	idle.Begin(t.Context())()
}
