package policy_test

import (
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/pkg/urn"
)

// reasons are those of the policies that do not apply, "" of those that do.
func reasons(judged []policy.Judged) map[string]policy.Reason {
	out := map[string]policy.Reason{}
	for _, j := range judged {
		out[j.Policy.URN.Key()] = j.Reason
	}
	return out
}

func several(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t, policy.Config{})
	inactive, other := metadata(nil, auth.EditTags), metadata(nil, auth.EditTags)
	inactive.State = "INACTIVE"
	other.Actors = actors{Users: []urn.URN{authtest.Mia}}
	f.put(t, "inactive", inactive)
	f.put(t, "other", other)
	f.put(t, "charts", metadata(where(criterion{"TYPE", []string{"chart"}, "EQUALS"}), auth.EditTags, auth.EditOwners))
	f.put(t, "public", metadata(&resources{All: true, Constraints: &filter{[]criterion{{"URN", []string{"urn:li:tag:public"}, "EQUALS"}}}}, auth.EditTags))
	f.put(t, "unrelated", platform(auth.ManageTags))
	return f
}

func TestAnExplanationSaysWhyEachPolicyDoesNotApply(t *testing.T) {
	t.Parallel()
	f := several(t)
	check := auth.Over(dataset, auth.EditTags)
	check.Tags = []urn.URN{"urn:li:tag:secret"}
	x, err := f.Explain(t.Context(), auth.Actor{URN: authtest.Jo}, check, nil)
	if err != nil || x.Decision.Allowed() || x.Everything || x.Oneself || x.Inactive {
		t.Fatal(x, err)
	}
	want := map[string]policy.Reason{"inactive": policy.Inactive, "other": policy.ActorDiffers, "charts": policy.ResourceDiffers, "public": policy.AttachmentRefused}
	got := reasons(x.Policies)
	for id, why := range want {
		if got[id] != why {
			t.Errorf("%s: %q, want %q", id, got[id], why)
		}
	}
	if len(got) != len(want) {
		t.Errorf("policies that name other privileges are in it: %v", got)
	}
	draft := policy.Compile("urn:li:dataHubPolicy:other", metadata(nil, auth.EditTags).object(t))
	x, err = f.Explain(t.Context(), auth.Actor{URN: authtest.Jo}, check, draft)
	if err != nil || !x.Decision.Allowed() {
		t.Fatal(x.Decision.Err(), err)
	}
	for _, j := range x.Policies {
		if j.Draft != (j.Policy == draft) || j.Draft != j.Applies {
			t.Errorf("%s: draft %v, applies %v", j.Policy.URN, j.Draft, j.Applies)
		}
	}
	if f.allows(t, authtest.Jo, check) {
		t.Error("the draft grants")
	}
}

func TestAnExplanationSaysWhatNoPolicyGrants(t *testing.T) {
	t.Parallel()
	f := several(t)
	x, err := f.Explain(t.Context(), auth.Actor{URN: authtest.Jo}, auth.Over(authtest.Jo, auth.EditEntity), nil)
	if err != nil || !x.Oneself || !x.Decision.Allowed() {
		t.Errorf("over oneself: %+v, %v", x, err)
	}
	x, err = f.Explain(t.Context(), auth.Actor{URN: "urn:li:corpuser:x", System: true}, auth.ForPlatform(auth.ManageSystem), nil)
	if err != nil || !x.Everything || !x.Decision.Allowed() {
		t.Errorf("the service: %+v, %v", x, err)
	}
	f.Set(t, authtest.Jo, "status", `{"removed":true}`)
	x, err = f.Explain(t.Context(), auth.Actor{URN: authtest.Jo}, auth.Over(chart, auth.EditTags), nil)
	if err != nil || !x.Inactive || x.Decision.Allowed() {
		t.Errorf("somebody who was removed: %+v, %v", x, err)
	}
	x, err = f.Explain(t.Context(), auth.Actor{URN: authtest.Mia}, auth.ManageType("corpuser"), nil)
	if err != nil || len(x.Needed["urn:li:corpuser:"]) < 4 {
		t.Errorf("managing a type: %+v, %v", x.Needed, err)
	}
}

func TestGrantedPrivilegesAreThoseOfAllPoliciesThatApply(t *testing.T) {
	t.Parallel()
	f := several(t)
	for name, tc := range map[string]struct {
		over policy.Resource
		want []auth.Privilege
	}{
		"the platform": {policy.Resource{}, []auth.Privilege{auth.ManageTags}},
		"a type":       {policy.Resource{Type: "chart"}, []auth.Privilege{auth.EditOwners, auth.EditTags, auth.ManageTags}},
		"an entity":    {policy.Resource{Type: "dataset", URN: dataset}, []auth.Privilege{auth.EditTags, auth.ManageTags}},
	} {
		got, others, err := f.Granted(t.Context(), authtest.Jo, tc.over)
		if err != nil || !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v (%v)", name, got, tc.want, err)
		}
		if why := reasons(others); why["inactive"] != policy.Inactive || why["other"] != policy.ActorDiffers {
			t.Errorf("%s: %v", name, why)
		}
	}
}
