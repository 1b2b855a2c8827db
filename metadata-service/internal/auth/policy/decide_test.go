package policy_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const policies urn.URN = "urn:li:dataHubPolicy:mine"

// rows are stored aspects by entity.
type rows map[urn.URN]string

func (r rows) Get(_ context.Context, keys ...model.Key) ([]*model.Record, error) {
	out := make([]*model.Record, len(keys))
	for i, k := range keys {
		if value, ok := r[k.URN]; ok {
			out[i] = &model.Record{URN: k.URN, Aspect: k.Aspect, Value: []byte(value)}
		}
	}
	return out, nil
}

func decide(t *testing.T, rule policy.Root, actor urn.URN, checks ...auth.Check) []auth.Decision {
	t.Helper()
	decisions, err := rule.Decide(authtest.As(t, actor), checks)
	if err != nil {
		t.Fatal(err)
	}
	return decisions
}

func TestManyChecksAreAnsweredInTheOrderAsked(t *testing.T) {
	t.Parallel()
	got := decide(t, policy.Root{}, authtest.Jo,
		auth.On(auth.OpUpdate, dataset, "ownership"), auth.On(auth.OpUpdate, policies, ""), auth.ForPlatform(auth.ManageUsers), auth.Over(dataset, auth.EditTags, auth.EditEntity))
	allowed := []bool{got[0].Allowed(), got[1].Allowed(), got[2].Allowed(), got[3].Allowed()}
	if want := []bool{true, false, false, true}; !slices.Equal(allowed, want) {
		t.Errorf("allowed %v, want %v", allowed, want)
	}
	if got[0].Privilege() != auth.EditEntity || got[3].Privilege() != auth.EditTags {
		t.Errorf("allowed by %s and %s", got[0].Privilege(), got[3].Privilege())
	}
	if err := got[1].Err(); fault.KindOf(err) != fault.Forbidden || !strings.Contains(fault.Message(err), "MANAGE_POLICIES") {
		t.Errorf("got %v", err)
	}
}

func TestACheckOfSeveralEntitiesHoldsForEachOrForOne(t *testing.T) {
	t.Parallel()
	both := []urn.URN{policies, dataset}
	got := decide(t, policy.Root{}, authtest.Jo, auth.OverEach(both, auth.EditEntity), auth.OverOne(both, auth.EditEntity), auth.OverOne(both[:1], auth.EditEntity))
	if got[0].Allowed() || !got[1].Allowed() || got[2].Allowed() {
		t.Errorf("each: %v, one: %v, none: %v", got[0].Allowed(), got[1].Allowed(), got[2].Allowed())
	}
}

func TestADecisionCoversWhatWasAskedAndNothingElse(t *testing.T) {
	t.Parallel()
	d := decide(t, policy.Root{}, authtest.Jo, auth.On(auth.OpUpdate, dataset, "ownership"))[0]
	if !d.Covers(authtest.Jo, auth.OpUpdate, dataset, "ownership") {
		t.Error("it does not cover its own question")
	}
	if d.Covers(authtest.Mia, auth.OpUpdate, dataset, "ownership") || d.Covers(authtest.Jo, auth.OpDelete, dataset, "ownership") ||
		d.Covers(authtest.Jo, auth.OpUpdate, policies, "ownership") || d.Covers(authtest.Jo, auth.OpUpdate, dataset, "status") {
		t.Error("it covers the write of another actor, operation, entity or aspect")
	}
	if (auth.Decision{}).Covers(authtest.Jo, auth.OpUpdate, dataset, "") || (auth.Decision{}).Allowed() || (auth.Decision{}).Err() == nil {
		t.Error("the zero decision allows something")
	}
}

func TestPersonalViewsAreSeenByTheirCreatorsAndByWhoManagesViews(t *testing.T) {
	t.Parallel()
	const mine, shared urn.URN = "urn:li:dataHubView:mine", "urn:li:dataHubView:shared"
	rule := policy.Root{Rows: rows{
		mine:   `{"type":"PERSONAL","created":{"time":1,"actor":"urn:li:corpuser:jo"}}`,
		shared: `{"type":"GLOBAL","created":{"time":1,"actor":"urn:li:corpuser:jo"}}`,
	}}
	for _, c := range []struct {
		actor urn.URN
		sees  []bool
	}{{authtest.Jo, []bool{true, true, true}}, {authtest.Mia, []bool{false, true, true}}, {authtest.Root, []bool{true, true, true}}} {
		ctx := authtest.As(t, c.actor)
		asked := []urn.URN{mine, shared, dataset}
		visible, err := rule.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataHubView", "dataset"}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := visible.Sees(ctx, asked); err != nil || !slices.Equal(got, c.sees) {
			t.Errorf("%s sees %v, %v; want %v", c.actor, got, err, c.sees)
		}
		if restricted := visible.Filter != nil; restricted != (c.actor != authtest.Root) {
			t.Errorf("%s searches by %v", c.actor, visible.Filter)
		}
		for i, d := range decide(t, rule, c.actor, auth.On(auth.OpRead, mine, ""), auth.On(auth.OpRead, shared, "dataHubViewInfo"), auth.On(auth.OpRead, dataset, "")) {
			if d.Allowed() != c.sees[i] {
				t.Errorf("%s reads %s: %v", c.actor, asked[i], d.Err())
			}
		}
	}
}

func TestAReadingOfNothingThatMayBeReadIsRefused(t *testing.T) {
	t.Parallel()
	ctx := authtest.As(t, authtest.Jo)
	if _, err := (policy.Root{}).Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataHubSecret", "globalSettings"}}); fault.KindOf(err) != fault.Forbidden || !strings.Contains(fault.Message(err), "MANAGE_SECRETS") {
		t.Errorf("got %v", err)
	}
	visible, err := policy.Root{}.Visible(ctx, auth.Reading{Kind: auth.ReadSearch, Types: []string{"dataHubSecret", "dataset"}})
	if err != nil || !slices.Equal(visible.Types, []string{"dataset"}) || visible.Filter != nil {
		t.Errorf("got %+v, %v", visible, err)
	}
}
