package policy_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
)

// counting is the plain rule, which counts what it decides.
type counting struct {
	policy.Root
	mu      sync.Mutex
	calls   int
	decided int
}

func (c *counting) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	c.mu.Lock()
	c.calls, c.decided = c.calls+1, c.decided+len(checks)
	c.mu.Unlock()
	return c.Root.Decide(ctx, checks)
}

// Deciding makes it an engine that looks at what is stored.
func (*counting) Deciding() []string { return []string{"domains"} }

func TestARequestDecidesTheSameQuestionOnce(t *testing.T) {
	t.Parallel()
	engine := &counting{}
	rights := policy.Cached{Engine: engine}
	ctx := auth.WithDecisionCache(authtest.As(t, authtest.Jo))
	checks := []auth.Check{auth.On(auth.OpRead, dataset, ""), auth.On(auth.OpDelete, dataset, ""), auth.Over(dataset, auth.EditTags), auth.ForPlatform(auth.ManageUsers)}
	for range 3 {
		got, err := rights.Decide(ctx, checks)
		if err != nil || len(got) != 4 {
			t.Fatal(got, err)
		}
		allowed := []bool{got[0].Allowed(), got[1].Allowed(), got[2].Allowed(), got[3].Allowed()}
		if want := []bool{true, false, true, false}; !slices.Equal(allowed, want) {
			t.Errorf("allowed %v, want %v", allowed, want)
		}
	}
	if engine.calls != 1 || engine.decided != 4 {
		t.Errorf("%d calls decided %d checks, want 1 and 4", engine.calls, engine.decided)
	}
	if _, err := rights.Decide(ctx, append(checks, auth.On(auth.OpUpdate, dataset, "status"))); err != nil || engine.calls != 2 || engine.decided != 5 {
		t.Errorf("one more question: %d calls decided %d checks, %v", engine.calls, engine.decided, err)
	}
	auth.ForgetDecisions(ctx)
	if _, err := rights.Decide(ctx, checks); err != nil || engine.decided != 9 {
		t.Errorf("after a write: %d checks were decided, %v", engine.decided, err)
	}
}

func TestACacheOfDecisionsKeepsActorsAndQuestionsApart(t *testing.T) {
	t.Parallel()
	rights := policy.Cached{Engine: &counting{}}
	ctx := auth.WithDecisionCache(authtest.As(t, authtest.Jo))
	profile := []auth.Check{auth.On(auth.OpUpdate, authtest.Jo, "corpUserEditableInfo")}
	mine, err := rights.Decide(ctx, profile)
	if err != nil || !mine[0].Allowed() {
		t.Fatalf("the own profile: %v, %v", mine, err)
	}
	other, err := rights.Decide(auth.WithActor(ctx, auth.Actor{URN: authtest.Mia}), profile)
	if err != nil || other[0].Allowed() {
		t.Errorf("somebody else's request got the decision of the first: %v, %v", other, err)
	}
	different := []auth.Check{auth.Over(dataset, auth.EditTags, auth.EditEntity), auth.Over(dataset, auth.DeleteEntity), auth.OfType(auth.OpDelete, "dataset"), auth.On(auth.OpDelete, dataset, "status")}
	got, err := rights.Decide(ctx, different)
	if err != nil || !got[0].Allowed() || got[1].Allowed() || got[2].Allowed() || got[3].Allowed() {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestManyGoroutinesOfARequestShareItsDecisions(t *testing.T) {
	t.Parallel()
	rights := policy.Cached{Engine: &counting{}}
	ctx := auth.WithDecisionCache(authtest.As(t, authtest.Jo))
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				if got, err := rights.Decide(ctx, []auth.Check{auth.On(auth.OpRead, dataset, "")}); err != nil || !got[0].Allowed() {
					t.Error(got, err)
				}
				auth.ForgetDecisions(ctx)
			}
		})
	}
	all.Wait()
}

func BenchmarkDecide(b *testing.B) {
	checks := make([]auth.Check, 100)
	for i := range checks {
		checks[i] = auth.On(auth.OpRead, dataset, "ownership")
		checks[i].Type = string(rune('a' + i))
	}
	ctx := auth.WithActor(b.Context(), auth.Actor{URN: authtest.Jo})
	b.Run("plain rule", func(b *testing.B) {
		for b.Loop() {
			_, _ = policy.Root{}.Decide(ctx, checks)
		}
	})
	b.Run("with a cache per request", func(b *testing.B) {
		for b.Loop() {
			_, _ = policy.Cached{Engine: &counting{}}.Decide(auth.WithDecisionCache(ctx), checks)
		}
	})
}
