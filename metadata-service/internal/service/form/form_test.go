package form_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/discover"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/form"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	tier           = "urn:li:structuredProperty:tier"
	review urn.URN = "urn:li:form:review"
)

func ptr[T any](v T) *T { return &v }

// newService returns a service with a dataset with two columns, owned by a group of which Mia is a
// member, and a form of kind Verification: one required question about the dataset, one about its
// columns. Jo is assigned to it.
func newService(t *testing.T) (*form.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, orders, "schemaMetadata", `{"schemaName":"orders","platform":"urn:li:dataPlatform:postgres","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},"fields":[
		{"fieldPath":"id","nativeDataType":"bigint","type":{"type":{"com.linkedin.schema.NumberType":{}}}},
		{"fieldPath":"customer","nativeDataType":"text","type":{"type":{"com.linkedin.schema.StringType":{}}}}]}`)
	w.Put(t, orders, "ownership", `{"owners":[{"owner":"urn:li:corpGroup:shop","type":"NONE"}]}`)
	w.Put(t, "urn:li:corpGroup:shop", "corpGroupInfo", `{"displayName":"g","admins":[],"members":[],"groups":[]}`)
	w.Put(t, servicetest.Mia, "nativeGroupMembership", `{"nativeGroups":["urn:li:corpGroup:shop"]}`)
	w.Put(t, tier, "propertyDefinition", `{"qualifiedName":"tier","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"],"allowedValues":[{"value":{"string":"gold"}}]}`)
	s := form.New(w.Edit, property.New(w.Edit))
	_, err := s.Create(w.As(t, servicetest.Root), form.Draft{
		ID: "review", Name: "Review", Kind: form.Verification, Actors: &form.Actors{Owners: true, Users: []string{string(servicetest.Jo)}},
		Prompts: []form.Prompt{{ID: "tier", Title: "Tier?", Kind: form.AskAsset, Property: tier, Required: true}, {ID: "columns", Title: "Tiers?", Kind: form.AskColumn, Property: tier}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, w
}

func assign(t *testing.T, s *form.Service, w *servicetest.World) {
	t.Helper()
	if err := s.Assign(w.As(t, servicetest.Root), review, []string{string(orders)}); err != nil {
		t.Fatal(err)
	}
}

func answer(prompt, kind, column, value string) form.Answer {
	return form.Answer{Form: string(review), Prompt: prompt, Kind: kind, Column: column,
		Assignment: property.Assignment{Property: tier, Values: []property.Value{{Text: &value}}}}
}

// state formats the forms of the dataset: open and completed forms, verifications, and the ids of
// open and answered questions.
func state(t *testing.T, w *servicetest.World) string {
	t.Helper()
	got := w.Get(t, orders, "forms")
	part := func(from, to string) string {
		_, rest, _ := strings.Cut(got, from)
		in, _, _ := strings.Cut(rest, to)
		return in
	}
	completed, incomplete, verified := part(`{"completedForms":`, `,"incompleteForms":`), part(`,"incompleteForms":`, `,"verifications":`), part(`,"verifications":`, "\x00")
	out := fmt.Sprintf("open %d, done %d, verified %d", strings.Count(incomplete, "urn:li:form:"), strings.Count(completed, "urn:li:form:"), strings.Count(verified, "urn:li:form:"))
	for _, id := range []string{"tier", "columns"} {
		answered := part(`"completedPrompts":`, `"incompletePrompts":`)
		if strings.Contains(answered, `"id":"`+id+`"`) {
			out += ", " + id + " answered"
		}
	}
	return out
}

func TestFillingInAForm(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	assign(t, s, w)
	assign(t, s, w)
	for _, step := range []struct {
		name string
		do   func() error
		want string
	}{
		{"as assigned", func() error { return nil }, "open 1, done 0, verified 0"},
		{"one of two columns", func() error {
			return s.Submit(w.As(t, servicetest.Jo), orders, answer("columns", form.AskColumn, "id", "gold"))
		}, "open 1, done 0, verified 0"},
		{"the same column again", func() error {
			return s.Submit(w.As(t, servicetest.Jo), orders, answer("columns", form.AskColumn, "id", "gold"))
		}, "open 1, done 0, verified 0"},
		{"the required question, by a member of the owning group", func() error {
			return s.Submit(w.As(t, servicetest.Mia), orders, answer("tier", form.AskAsset, "", "gold"))
		}, "open 0, done 1, verified 0, tier answered"},
		{"the other column", func() error {
			return s.Submit(w.As(t, servicetest.Jo), orders, answer("columns", form.AskColumn, "customer", "gold"))
		}, "open 0, done 1, verified 0, tier answered, columns answered"},
		{"verification", func() error { return s.Verify(w.As(t, servicetest.Jo), string(review), orders) }, "open 0, done 1, verified 1, tier answered, columns answered"},
		{"verification by another one", func() error { return s.Verify(w.As(t, servicetest.Mia), string(review), orders) }, "open 0, done 1, verified 1, tier answered, columns answered"},
		{"removal", func() error { return s.Unassign(w.As(t, servicetest.Root), review, []string{string(orders)}) }, "open 0, done 0, verified 0"},
	} {
		if err := step.do(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		if got := state(t, w); got != step.want {
			t.Errorf("%s: got %s, want %s", step.name, got, step.want)
		}
	}
	if got := w.Get(t, orders, property.Aspect); !strings.Contains(got, `{"string":"gold"}`) {
		t.Errorf("got %s, want the answer kept", got)
	}
}

func TestAnswersThatAreRefused(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	if err := s.Submit(w.As(t, servicetest.Jo), orders, answer("tier", form.AskAsset, "", "gold")); fault.KindOf(err) != fault.Malformed {
		t.Errorf("before the asset has the form: got %v", err)
	}
	if got := w.Get(t, orders, property.Aspect); got != "" {
		t.Errorf("got %s, want nothing written", got)
	}
	assign(t, s, w)
	w.Put(t, "urn:li:corpGroup:shop", "status", `{"removed":true}`)
	if err := s.Submit(w.As(t, servicetest.Mia), orders, answer("tier", form.AskAsset, "", "gold")); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("by a member of an owning group that is soft-deleted: got %v", err)
	}
	w.Put(t, "urn:li:corpGroup:shop", "status", `{"removed":false}`)
	other := answer("tier", form.AskAsset, "", "gold")
	other.Assignment.Property = "urn:li:structuredProperty:other"
	none := answer("tier", form.AskAsset, "", "gold")
	none.Form = "urn:li:form:none"
	for name, tc := range map[string]struct {
		as   urn.URN
		give form.Answer
		want fault.Kind
	}{
		"somebody who is not asked":         {servicetest.Root, answer("tier", form.AskAsset, "", "gold"), fault.Forbidden},
		"a value that is not allowed":       {servicetest.Jo, answer("tier", form.AskAsset, "", "lead"), fault.Invalid},
		"another question":                  {servicetest.Jo, answer("none", form.AskAsset, "", "gold"), fault.Malformed},
		"another type of question":          {servicetest.Jo, answer("tier", form.AskColumn, "id", "gold"), fault.Malformed},
		"another property":                  {servicetest.Jo, other, fault.Malformed},
		"another form":                      {servicetest.Jo, none, fault.Malformed},
		"a column that is not there":        {servicetest.Jo, answer("columns", form.AskColumn, "none", "gold"), fault.Malformed},
		"no column where one is asked":      {servicetest.Jo, answer("columns", form.AskColumn, "", "gold"), fault.Malformed},
		"a column where the asset is asked": {servicetest.Jo, answer("tier", form.AskAsset, "id", "gold"), fault.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			if err := s.Submit(w.As(t, tc.as), orders, tc.give); fault.KindOf(err) != tc.want {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
	if err := s.Verify(w.As(t, servicetest.Jo), string(review), orders); fault.KindOf(err) != fault.Malformed {
		t.Errorf("verification of an open form: got %v", err)
	}
	if got := state(t, w); got != "open 1, done 0, verified 0" {
		t.Errorf("got %s, want the form as it was", got)
	}
}

func TestOwnersOfAnAskedTypeFillInAForm(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	assign(t, s, w)
	const info = `{"name":"Review","type":"VERIFICATION","prompts":[{"id":"tier","title":"Tier?","type":"STRUCTURED_PROPERTY","required":true,"structuredPropertyParams":{"urn":"urn:li:structuredProperty:tier"}}],
		"actors":{"owners":%t,"ownershipTypes":["urn:li:ownershipType:__system__data_steward"]}}`
	for i, c := range []struct {
		name, owner string
		want        fault.Kind
	}{
		{"an owner of another type", `{"owner":"urn:li:corpuser:jo","type":"DEVELOPER"}`, fault.Forbidden},
		{"another owner of the type", `{"owner":"urn:li:corpuser:mia","type":"DATA_STEWARD","typeUrn":"urn:li:ownershipType:__system__data_steward"}`, fault.Forbidden},
		{"an owner with the URN of the type", `{"owner":"urn:li:corpuser:jo","type":"DATA_STEWARD","typeUrn":"urn:li:ownershipType:__system__data_steward"}`, 0},
		{"an owner with the older word alone", `{"owner":"urn:li:corpuser:jo","type":"DATA_STEWARD"}`, 0},
	} {
		// Types restrict the owners regardless of the member owners.
		w.Put(t, review, "formInfo", fmt.Sprintf(info, i%2 == 0))
		w.Put(t, orders, "ownership", `{"owners":[`+c.owner+`]}`)
		if err := s.Submit(w.As(t, servicetest.Jo), orders, answer("tier", form.AskAsset, "", "gold")); fault.KindOf(err) != c.want || c.want == 0 && err != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

func TestFormsThatAreRefused(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ask := form.Prompt{Title: "Why?", Kind: form.AskAsset, Property: tier}
	for name, tc := range map[string]struct {
		as   urn.URN
		give form.Draft
		want fault.Kind
	}{
		"an ordinary user":                 {servicetest.Jo, form.Draft{Name: "F"}, fault.Forbidden},
		"no name":                          {servicetest.Root, form.Draft{}, fault.Malformed},
		"a question without a title":       {servicetest.Root, form.Draft{Name: "F", Prompts: []form.Prompt{{Kind: form.AskAsset, Property: tier}}}, fault.Malformed},
		"a question of no type":            {servicetest.Root, form.Draft{Name: "F", Prompts: []form.Prompt{{Title: "Why?", Property: tier}}}, fault.Malformed},
		"a question about nothing":         {servicetest.Root, form.Draft{Name: "F", Prompts: []form.Prompt{{Title: "Why?", Kind: form.AskAsset}}}, fault.Malformed},
		"two questions with the same id":   {servicetest.Root, form.Draft{Name: "F", Prompts: []form.Prompt{{ID: "a", Title: "Why?", Kind: form.AskAsset, Property: tier}, {ID: "a", Title: "Why?", Kind: form.AskAsset, Property: tier}}}, fault.Invalid},
		"more questions than there may be": {servicetest.Root, form.Draft{Name: "F", Prompts: make([]form.Prompt, 201)}, fault.TooLarge},
		"a user who is a group":            {servicetest.Root, form.Draft{Name: "F", Prompts: []form.Prompt{ask}, Actors: &form.Actors{Users: []string{"urn:li:corpGroup:x"}}}, fault.Malformed},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := s.Create(w.As(t, tc.as), tc.give); fault.KindOf(err) != tc.want {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}

func TestUpdateAndDelete(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	assign(t, s, w)
	ctx := w.As(t, servicetest.Root)
	err := s.Update(ctx, review, form.Revision{
		Name: ptr("Second"), Kind: ptr(form.Completion), AddPrompts: []form.Prompt{{ID: "new", Title: "New?", Kind: form.AskAsset, Property: tier}}, RemovePrompts: []string{"columns"},
		Actors: &form.ActorChanges{Owners: ptr(false), AddUsers: []string{string(servicetest.Mia)}, RemoveUsers: []string{string(servicetest.Jo)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := w.Get(t, review, "formInfo")
	if !strings.Contains(got, `"name":"Second"`) || !strings.Contains(got, `"id":"new"`) || strings.Contains(got, `"id":"columns"`) ||
		!strings.Contains(got, `"actors":{"owners":false,"users":["urn:li:corpuser:mia"]}`) {
		t.Errorf("got %s", got)
	}
	if err := s.Verify(w.As(t, servicetest.Mia), string(review), orders); fault.KindOf(err) != fault.Malformed {
		t.Errorf("verification of a form to complete: got %v", err)
	}
	if err := s.Delete(w.As(t, servicetest.Jo), review); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("deletion by an ordinary user: got %v", err)
	}
	if err := s.Delete(ctx, review); err != nil {
		t.Fatal(err)
	}
	if got := state(t, w); got != "open 0, done 0, verified 0" {
		t.Errorf("got %s, want the form gone from the asset", got)
	}
	if err := s.Assign(ctx, review, []string{string(orders)}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("assigning what is gone: got %v", err)
	}
}

// TestQuestionsThatComeLater: clients store a form again with more questions and expect assets with
// the form to get them.
func TestQuestionsThatComeLater(t *testing.T) {
	t.Parallel()
	later := func(id string, required bool) form.Prompt {
		return form.Prompt{ID: id, Title: "Later?", Kind: form.AskAsset, Property: tier, Required: required}
	}
	const done = "open 0, done 1, verified 1, tier answered"
	for name, tc := range map[string]struct {
		add  func(t *testing.T, s *form.Service, w *servicetest.World) error
		want string
		open bool // whether the new question is open on the asset
	}{
		"a required one opens the form again": {func(t *testing.T, s *form.Service, w *servicetest.World) error {
			return s.Update(w.As(t, servicetest.Root), review, form.Revision{AddPrompts: []form.Prompt{later("late", true)}})
		}, "open 1, done 0, verified 0, tier answered", true},
		"one that may stay open leaves it done": {func(t *testing.T, s *form.Service, w *servicetest.World) error {
			return s.Update(w.As(t, servicetest.Root), review, form.Revision{AddPrompts: []form.Prompt{later("late", false)}})
		}, done, true},
		"a change of the name asks nothing": {func(t *testing.T, s *form.Service, w *servicetest.World) error {
			return s.Update(w.As(t, servicetest.Root), review, form.Revision{Name: ptr("Other")})
		}, done, false},
		"one of a definition that was stored, when the form is assigned again": {func(t *testing.T, s *form.Service, w *servicetest.World) error {
			w.Put(t, review, "formInfo", strings.Replace(w.Get(t, review, "formInfo"), `"prompts":[`, `"prompts":[{"id":"late","title":"Later?","type":"STRUCTURED_PROPERTY","required":true,"structuredPropertyParams":{"urn":"`+tier+`"}},`, 1))
			return s.Assign(w.As(t, servicetest.Root), review, []string{string(orders)})
		}, "open 1, done 0, verified 0, tier answered", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, w := newService(t)
			assign(t, s, w)
			if err := s.Submit(w.As(t, servicetest.Jo), orders, answer("tier", form.AskAsset, "", "gold")); err != nil {
				t.Fatal(err)
			}
			if err := s.Verify(w.As(t, servicetest.Jo), string(review), orders); err != nil {
				t.Fatal(err)
			}
			if err := tc.add(t, s, w); err != nil {
				t.Fatal(err)
			}
			if got := state(t, w); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if asked := strings.Contains(w.Get(t, orders, "forms"), `"id":"late"`); asked != tc.open {
				t.Errorf("got asked %v, want %v", asked, tc.open)
			}
		})
	}
}

// TestVerificationNeedsQuestionsThatNoAssetWasAsked: a definition that was stored without another
// assignment adds no question to assets, but its required questions count as open.
func TestVerificationNeedsQuestionsThatNoAssetWasAsked(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	assign(t, s, w)
	if err := s.Submit(w.As(t, servicetest.Jo), orders, answer("tier", form.AskAsset, "", "gold")); err != nil {
		t.Fatal(err)
	}
	w.Put(t, review, "formInfo", strings.Replace(w.Get(t, review, "formInfo"), `"prompts":[`, `"prompts":[{"id":"late","title":"Later?","type":"STRUCTURED_PROPERTY","required":true,"structuredPropertyParams":{"urn":"`+tier+`"}},`, 1))
	if err := s.Verify(w.As(t, servicetest.Jo), string(review), orders); fault.KindOf(err) != fault.Malformed {
		t.Errorf("before the answer: got %v", err)
	}
	if err := s.Submit(w.As(t, servicetest.Jo), orders, answer("late", form.AskAsset, "", "gold")); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(w.As(t, servicetest.Jo), string(review), orders); err != nil {
		t.Errorf("after the answer: %v", err)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ctx := w.As(t, servicetest.Root)
	// More assets than one batch, and one that does not match the rule.
	const others = 520
	for i := range others {
		w.Put(t, urn.URN(fmt.Sprintf("urn:li:container:c%d", i)), "containerProperties", `{"name":"c"}`)
	}
	w.Put(t, "urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)", "datasetProperties", `{"name":"a"}`)
	one := search.Filter{{{Field: "platform", Condition: search.Equal, Values: []string{"urn:li:dataPlatform:hive"}, Negated: true}}}
	if err := s.SetRule(ctx, review, one); err != nil {
		t.Fatal(err)
	}
	want := `{"filter":{"or":[{"and":[{"condition":"EQUAL","field":"platform","negated":true,"values":["urn:li:dataPlatform:hive"]}]}]}}`
	if got := w.Get(t, review, "dynamicFormAssignment"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	found, err := w.Discover.Search(ctx, discover.SearchQuery{
		Types: []string{"container", "dataset"}, Filter: search.Filter{{{Field: "incompleteForms", Condition: search.Equal, Values: []string{string(review)}}}},
	})
	if err != nil || found.Total != others+1 {
		t.Errorf("got %d assets, %v, want %d", found.Total, err, others+1)
	}
	if got := state(t, w); got != "open 1, done 0, verified 0" {
		t.Errorf("got %s, want the form on the dataset", got)
	}
	for name, filter := range map[string]search.Filter{
		"a group without conditions":  {{}},
		"a condition that is none":    {{{Field: "platform", Condition: "LIKE", Values: []string{"x"}}}},
		"no conditions":               nil,
		"a condition without a field": {{{Values: []string{"x"}}}},
		"too many values":             {{{Field: "platform", Values: make([]string, 500)}}},
	} {
		if err := s.SetRule(ctx, review, filter); err == nil || fault.KindOf(err).Code() >= 500 {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
	if err := s.SetRule(w.As(t, servicetest.Jo), review, one); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("by an ordinary user: got %v", err)
	}
	if err := s.SetRule(ctx, "urn:li:form:none", one); fault.KindOf(err) != fault.Malformed {
		t.Errorf("a form that is not there: got %v", err)
	}
}

// TestThePrivilegeIsEnoughToDelete: the catalog does not additionally require DELETE_ENTITY.
func TestThePrivilegeIsEnoughToDelete(t *testing.T) {
	t.Parallel()
	_, w := newService(t)
	granted := form.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageForms}}), property.New(w.Edit))
	if err := granted.Delete(w.As(t, servicetest.Mia), review); err != nil {
		t.Error(err)
	}
}

// viewing is newService with view authorization: gov may manage forms and view orders, jo may view
// orders, and neither may view the dataset salaries. The form is assigned to jo and gov.
func viewing(t *testing.T) (*form.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.NewViewing(t)
	for _, dataset := range []urn.URN{orders, salaries} {
		w.Put(t, dataset, "datasetProperties", `{"name":"a dataset"}`)
	}
	w.Put(t, gov, "corpUserInfo", `{"active":true,"displayName":"gov"}`)
	w.Put(t, tier, "propertyDefinition", `{"qualifiedName":"tier","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`)
	for _, p := range []urn.URN{"urn:li:dataHubPolicy:view-entity-page-all", "urn:li:dataHubPolicy:asset-owners-metadata-policy", "urn:li:dataHubPolicy:team-metadata"} {
		w.Put(t, p, "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"INACTIVE","privileges":[],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false}}`)
	}
	w.Put(t, "urn:li:dataHubPolicy:forms", "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"PLATFORM","state":"ACTIVE","privileges":["MANAGE_DOCUMENTATION_FORMS"],"actors":{"allUsers":false,"allGroups":false,"resourceOwners":false,"users":["`+string(gov)+`"]}}`)
	view := func(name string, on string) {
		w.Put(t, urn.Make("dataHubPolicy", name), "dataHubPolicyInfo", `{"displayName":"p","description":"","type":"METADATA","state":"ACTIVE","privileges":["VIEW_ENTITY_PAGE"],
			"actors":{"allUsers":true,"allGroups":false,"resourceOwners":false},"resources":{"filter":{"criteria":[`+on+`]}}}`)
	}
	view("orders", `{"field":"URN","values":["`+string(orders)+`"],"condition":"EQUALS"}`)
	view("forms-seen", `{"field":"TYPE","values":["form","structuredProperty"],"condition":"EQUALS"}`)
	s := form.New(w.Edit, property.New(w.Edit))
	_, err := s.Create(w.As(t, gov), form.Draft{
		ID: "review", Name: "Review", Kind: form.Verification, Actors: &form.Actors{Users: []string{string(gov), string(servicetest.Jo)}},
		Prompts: []form.Prompt{{ID: "tier", Title: "Tier?", Kind: form.AskAsset, Property: tier, Required: true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, w
}

const (
	salaries urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,hr.salaries,PROD)"
	nowhere  urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,hr.nowhere,PROD)"
	gov      urn.URN = "urn:li:corpuser:gov"
)

func TestFormsOpenNoHiddenAsset(t *testing.T) {
	t.Parallel()
	s, w := viewing(t)
	w.Put(t, salaries, property.Aspect, `{"properties":[{"propertyUrn":"`+tier+`","values":[{"string":"secret"}]}]}`)
	if err := s.Assign(w.As(t, servicetest.Root), review, []string{string(salaries)}); err != nil {
		t.Fatal(err)
	}
	before := w.Get(t, salaries, "forms")
	for name, do := range map[string]func(asset urn.URN) error{
		"assigned": func(asset urn.URN) error { return s.Assign(w.As(t, gov), review, []string{string(asset)}) },
		"removed":  func(asset urn.URN) error { return s.Unassign(w.As(t, gov), review, []string{string(asset)}) },
		"answered": func(asset urn.URN) error {
			return s.Submit(w.As(t, gov), asset, answer("tier", form.AskAsset, "", "gold"))
		},
		"verified": func(asset urn.URN) error { return s.Verify(w.As(t, gov), string(review), asset) },
	} {
		text := func(asset urn.URN) string {
			err := do(asset)
			if fault.KindOf(err) != fault.Malformed {
				t.Errorf("%s, %s: got %v, want the refusal of an absent asset", name, asset, err)
			}
			return strings.ReplaceAll(fmt.Sprint(err), string(asset), "it")
		}
		if hidden, absent := text(salaries), text(nowhere); hidden != absent {
			t.Errorf("%s:\n hidden: %s\n absent: %s", name, hidden, absent)
		}
	}
	if err := s.SetRule(w.As(t, gov), review, search.Filter{{{Field: "platform", Condition: search.Equal, Values: []string{"urn:li:dataPlatform:postgres"}}}}); err != nil {
		t.Error(err)
	}
	if got := w.Get(t, orders, "forms"); !strings.Contains(got, string(review)) {
		t.Errorf("the rule put the form on none of what is viewed: %s", got)
	}
	if got := w.Get(t, salaries, "forms"); got != before {
		t.Errorf("got %s, want %s", got, before)
	}
	if got := w.Get(t, salaries, property.Aspect); !strings.Contains(got, "secret") {
		t.Errorf("a hidden value was replaced: %s", got)
	}
}

// TestAFormForOwnersDoesNotTellThatAHiddenAssetIsOwned: a form for owners does not disclose the
// owners of a hidden asset.
func TestAFormForOwnersDoesNotTellThatAHiddenAssetIsOwned(t *testing.T) {
	t.Parallel()
	s, w := viewing(t)
	w.Put(t, salaries, "ownership", `{"owners":[{"owner":"`+string(servicetest.Jo)+`","type":"NONE"}]}`)
	const owned urn.URN = "urn:li:form:owned"
	if _, err := s.Create(w.As(t, gov), form.Draft{ID: "owned", Name: "Owned"}); err != nil {
		t.Fatal(err)
	}
	for _, asset := range []urn.URN{salaries, nowhere} {
		if err := s.Verify(w.As(t, servicetest.Jo), string(owned), asset); fault.KindOf(err) != fault.Malformed || !strings.Contains(fmt.Sprint(err), "asset does not exist: "+string(asset)) {
			t.Errorf("%s: got %v", asset, err)
		}
	}
}

func TestWhoViewsAnAssetAssignsAndAnswersForms(t *testing.T) {
	t.Parallel()
	s, w := viewing(t)
	for _, err := range []error{
		s.Assign(w.As(t, gov), review, []string{string(orders)}),
		s.Submit(w.As(t, servicetest.Jo), orders, answer("tier", form.AskAsset, "", "gold")),
		s.Verify(w.As(t, servicetest.Jo), string(review), orders),
		s.Unassign(w.As(t, gov), review, []string{string(orders)}),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if got := w.Get(t, orders, property.Aspect); !strings.Contains(got, `{"string":"gold"}`) {
		t.Errorf("got %s", got)
	}
}

// TestFormsOfHiddenAssetsAreExtendedAndDeleted: a manager of forms also changes and deletes them on
// hidden assets.
func TestFormsOfHiddenAssetsAreExtendedAndDeleted(t *testing.T) {
	t.Parallel()
	s, w := viewing(t)
	if err := s.Assign(w.As(t, servicetest.Root), review, []string{string(orders), string(salaries)}); err != nil {
		t.Fatal(err)
	}
	more := []form.Prompt{{ID: "more", Title: "More?", Kind: form.AskAsset, Property: tier}}
	if err := s.Update(w.As(t, gov), review, form.Revision{AddPrompts: more}); err != nil {
		t.Error(err)
	}
	if got := w.Get(t, salaries, "forms"); !strings.Contains(got, `"more"`) {
		t.Errorf("the new question is not asked: %s", got)
	}
	if err := s.Delete(w.As(t, gov), review); err != nil {
		t.Error(err)
	}
	for _, asset := range []urn.URN{orders, salaries} {
		if got := w.Get(t, asset, "forms"); strings.Contains(got, string(review)) {
			t.Errorf("%s keeps the form: %s", asset, got)
		}
	}
}

// TestTheCatalogAsksForTheViewOfAnAssetWhoseFormsChange: the catalog checks view authorization
// independently of the service.
func TestTheCatalogAsksForTheViewOfAnAssetWhoseFormsChange(t *testing.T) {
	t.Parallel()
	s, w := viewing(t)
	if err := s.Assign(w.As(t, servicetest.Root), review, []string{string(orders), string(salaries)}); err != nil {
		t.Fatal(err)
	}
	none := jsontree.Object{"incompleteForms": []any{}, "completedForms": []any{}, "verifications": []any{}}
	for _, asset := range []urn.URN{orders, salaries} {
		manages, err := w.Edit.Require(w.As(t, gov), auth.ManageForms)
		if err != nil {
			t.Fatal(err)
		}
		own, err := w.Edit.RequireOwn(w.As(t, servicetest.Jo), asset)
		if err != nil {
			t.Fatal(err)
		}
		done := jsontree.Object{"incompleteForms": []any{}, "completedForms": []any{jsontree.Object{"urn": string(review)}}, "verifications": []any{}}
		_, answered := w.Edit.Apply(w.As(t, servicetest.Jo), own, edit.Set(asset, "forms", done))
		_, removed := w.Edit.Apply(w.As(t, gov), manages, edit.Set(asset, "forms", none))
		for name, err := range map[string]error{"an answer": answered, "a removal": removed} {
			if isRefused := fault.KindOf(err) == fault.Forbidden; isRefused != (asset == salaries) {
				t.Errorf("%s of %s: got %v", name, asset, err)
			}
			if err != nil && !strings.Contains(err.Error(), "Unauthorized to change forms on entity: "+auth.HiddenEntity) {
				t.Errorf("%s of %s: got %v", name, asset, err)
			}
		}
	}
}
