package idle_test

import (
	"context"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/idle"
)

// turns counts the turns of a request.
type turns struct{ paused, resumed, yielded int }

func (t *turns) Pause()                 { t.paused++ }
func (t *turns) Resume(context.Context) { t.resumed++ }
func (t *turns) Yield(context.Context)  { t.yielded++ }

func TestATurnIsGivenBackForTheTimeOfAWait(t *testing.T) {
	t.Parallel()
	var of turns
	end := idle.Begin(idle.With(t.Context(), &of))
	if of != (turns{paused: 1}) {
		t.Errorf("in the wait: %+v", of)
	}
	if end(); of != (turns{paused: 1, resumed: 1}) {
		t.Errorf("behind it: %+v", of)
	}
	idle.Begin(t.Context())()
}

func TestWhatHoldsSomethingKeepsItsTurn(t *testing.T) {
	t.Parallel()
	var of turns
	ctx := idle.With(t.Context(), &of)
	idle.Yield(ctx)
	idle.Yield(idle.Hold(ctx))
	idle.Yield(t.Context())
	if of != (turns{yielded: 1}) {
		t.Errorf("%+v", of)
	}
}
