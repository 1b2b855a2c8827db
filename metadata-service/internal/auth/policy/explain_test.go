package policy_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/pkg/urn"
)

// reasons returns the reasons by policy, "" for policies that apply.
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

func TestAnExplanationSaysOfEachConditionOfADraftWhetherItIsMet(t *testing.T) {
	t.Parallel()
	f := several(t)
	f.Set(t, dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:public"}]}`)
	f.Set(t, dataset, "ownership", `{"owners":[{"owner":"`+string(authtest.Mia)+`","type":"DATAOWNER"}]}`)
	in := metadata(where(criterion{"TAG", []string{"urn:li:tag:secret"}, "EQUALS"}, criterion{"TYPE", []string{"dataset", "chart"}, ""}), auth.EditTags)
	in.Actors = actors{Owners: true, Users: []urn.URN{authtest.Jo}}
	in.State = "INACTIVE"
	draft := policy.Compile("urn:li:dataHubPolicy:draft", in.object(t))
	conditionsOf := func(actor urn.URN, check auth.Check) []policy.Condition {
		x, err := f.Explain(t.Context(), auth.Actor{URN: actor}, check, draft)
		if err != nil {
			t.Fatal(err)
		}
		return x.Conditions
	}
	criteria := func(typeMet bool, types, tags []string) []policy.Condition {
		return []policy.Condition{
			{On: "TYPE", Met: typeMet, Operator: "EQUALS", Values: []string{"chart", "dataset"}, Found: types},
			{On: "TAG", Operator: "EQUALS", Values: []string{"urn:li:tag:secret"}, Found: tags},
		}
	}
	jo := policy.Condition{On: policy.ActorCondition, Met: true, Found: []string{string(authtest.Jo)}}
	for name, c := range map[string]struct {
		got, want []policy.Condition
	}{
		"a user who is named": {
			conditionsOf(authtest.Jo, auth.Over(dataset, auth.EditTags)),
			append([]policy.Condition{{On: policy.StateCondition}, jo, {On: policy.PrivilegeCondition, Met: true}}, criteria(true, []string{"dataset"}, []string{"urn:li:tag:public"})...),
		},
		"an owner, and another privilege": {
			conditionsOf(authtest.Mia, auth.Over(dataset, auth.EditOwners)),
			append([]policy.Condition{{On: policy.StateCondition}, {On: policy.ActorCondition, Met: true}, {On: policy.PrivilegeCondition}}, criteria(true, []string{"dataset"}, []string{"urn:li:tag:public"})...),
		},
		"an owner of something else": {
			conditionsOf(authtest.Mia, auth.Over(chart, auth.EditTags)),
			append([]policy.Condition{{On: policy.StateCondition}, {On: policy.ActorCondition}, {On: policy.PrivilegeCondition, Met: true}}, criteria(true, []string{"chart"}, nil)...),
		},
		"no resource": {
			conditionsOf(authtest.Jo, auth.ForPlatform(auth.EditTags)),
			append([]policy.Condition{{On: policy.StateCondition}, jo, {On: policy.PrivilegeCondition, Met: true}}, criteria(false, nil, nil)...),
		},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
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
