package property_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/property"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	orders urn.URN = "urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)"
	column urn.URN = "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD),id)"
	tier   urn.URN = "urn:li:structuredProperty:tier"
	score  urn.URN = "urn:li:structuredProperty:score"
)

func ptr[T any](v T) *T { return &v }

func word(s string) property.Value { return property.Value{Text: &s} }

// newService returns a service with a dataset and two properties: tier, with the values gold and
// silver, and score, with any numbers.
func newService(t *testing.T) (*property.Service, *servicetest.World) {
	t.Helper()
	w := servicetest.New(t)
	w.Put(t, orders, "datasetProperties", `{"name":"orders"}`)
	s := property.New(w.Edit)
	for _, d := range []property.Draft{
		{ID: "tier", ValueType: "urn:li:dataType:datahub.string", EntityTypes: []string{"urn:li:entityType:datahub.dataset"},
			AllowedValues: []property.AllowedValue{{Value: word("gold")}, {Value: word("silver")}, {Value: word("gold")}}},
		{QualifiedName: "score", ValueType: "urn:li:dataType:datahub.number", Multiple: true, EntityTypes: []string{"urn:li:entityType:datahub.dataset"}},
	} {
		if _, err := s.Create(w.As(t, servicetest.Root), d); err != nil {
			t.Fatal(err)
		}
	}
	return s, w
}

func TestCreateKeepsADefinition(t *testing.T) {
	t.Parallel()
	_, w := newService(t)
	got := w.Get(t, tier, "propertyDefinition")
	for _, part := range []string{
		`"qualifiedName":"tier"`, `"allowedValues":[{"value":{"string":"gold"}},{"value":{"string":"silver"}}]`, `"cardinality":"SINGLE"`,
		`"created":{"actor":"urn:li:corpuser:datahub"`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("got %s, want %s in it", got, part)
		}
	}
	if got := w.Get(t, score, "propertyDefinition"); !strings.Contains(got, `"cardinality":"MULTIPLE"`) {
		t.Errorf("got %s, want several values", got)
	}
}

func TestCreateRefusals(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	usual := property.Draft{ID: "new", ValueType: "urn:li:dataType:datahub.string", EntityTypes: []string{"urn:li:entityType:datahub.dataset"}}
	for name, change := range map[string]func(d *property.Draft){
		"an id that is taken":              func(d *property.Draft) { d.ID = "tier" },
		"an id with a space":               func(d *property.Draft) { d.ID = "a b" },
		"a name that is not the id":        func(d *property.Draft) { d.QualifiedName = "other" },
		"no type of entities":              func(d *property.Draft) { d.EntityTypes = nil },
		"a type of entities that is none":  func(d *property.Draft) { d.EntityTypes = []string{"dataset"} },
		"a data type that does not exist":  func(d *property.Draft) { d.ValueType = "urn:li:dataType:datahub.colour" },
		"an allowed value that is nothing": func(d *property.Draft) { d.AllowedValues = []property.AllowedValue{{}} },
		"an allowed text of numbers": func(d *property.Draft) {
			d.ValueType, d.AllowedValues = "urn:li:dataType:datahub.number", []property.AllowedValue{{Value: word("one")}}
		},
		"an allowed number of texts": func(d *property.Draft) {
			d.AllowedValues = []property.AllowedValue{{Value: property.Value{Number: ptr(1.0)}}}
		},
		"an allowed value that is both": func(d *property.Draft) {
			d.AllowedValues = []property.AllowedValue{{Value: property.Value{Text: ptr(""), Number: ptr(1.0)}}}
		},
		"a platform that is none":                 func(d *property.Draft) { d.Platforms = []string{"urn:li:tag:x"} },
		"something hidden that is shown":          func(d *property.Draft) { d.Settings = &property.Settings{Hidden: ptr(true), AsAssetBadge: ptr(true)} },
		"a name that is too long":                 func(d *property.Draft) { d.DisplayName = ptr(strings.Repeat("x", 2000)) },
		"more allowed values than there may be":   func(d *property.Draft) { d.AllowedValues = make([]property.AllowedValue, 1001) },
		"an allowed type of values that is wrong": func(d *property.Draft) { d.AllowedTypes = []string{"urn:li:dataType:datahub.string"} },
	} {
		t.Run(name, func(t *testing.T) {
			d := usual
			change(&d)
			if _, err := s.Create(w.As(t, servicetest.Root), d); fault.KindOf(err).Code() < 400 || fault.KindOf(err).Code() >= 500 || err == nil {
				t.Errorf("got %v, want a refusal", err)
			}
		})
	}
	if _, err := s.Create(w.As(t, servicetest.Jo), usual); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("by an ordinary user: got %v, want %v", err, fault.Forbidden)
	}
	if got := w.Get(t, "urn:li:structuredProperty:new", "propertyDefinition"); got != "" {
		t.Errorf("got %s, want nothing written", got)
	}
}

func TestUpdateOnlyWidens(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	err := s.Update(w.As(t, servicetest.Root), tier, property.Widening{
		AllowedValues: []property.AllowedValue{{Value: word("bronze")}, {Value: word("gold")}}, Multiple: true,
		EntityTypes: []string{"urn:li:entityType:datahub.chart"}, DisplayName: ptr("Tier"), Settings: &property.Settings{InAssetSummary: ptr(true)},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := w.Get(t, tier, "propertyDefinition")
	for _, part := range []string{
		`[{"value":{"string":"gold"}},{"value":{"string":"silver"}},{"value":{"string":"bronze"}}]`, `"cardinality":"MULTIPLE"`,
		`["urn:li:entityType:datahub.dataset","urn:li:entityType:datahub.chart"]`, `"displayName":"Tier"`,
	} {
		if !strings.Contains(got, part) {
			t.Errorf("got %s, want %s in it", got, part)
		}
	}
	if got := w.Get(t, tier, "structuredPropertySettings"); !strings.Contains(got, `"showInAssetSummary":true`) {
		t.Errorf("got settings %s", got)
	}
	for name, narrowing := range map[string]property.Widening{
		"a first allowed value": {AllowedValues: []property.AllowedValue{{Value: property.Value{Number: ptr(1.0)}}}},
		"a first allowed type":  {AllowedTypes: []string{"urn:li:entityType:datahub.corpuser"}},
		"a first platform":      {Platforms: []string{"urn:li:dataPlatform:hive"}},
	} {
		if err := s.Update(w.As(t, servicetest.Root), score, narrowing); fault.KindOf(err) != fault.Malformed {
			t.Errorf("%s: got %v, want %v", name, err, fault.Malformed)
		}
	}
	if err := s.Update(w.As(t, servicetest.Root), "urn:li:structuredProperty:none", property.Widening{}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("a property that is not there: got %v", err)
	}
	if err := s.Update(w.As(t, servicetest.Jo), tier, property.Widening{}); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("by an ordinary user: got %v", err)
	}
}

func TestAllowedValuesAreOrderedAndDescribed(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	update := func(change property.Widening) error { return s.Update(w.As(t, servicetest.Root), tier, change) }
	described := func(name, text string) property.AllowedValue {
		return property.AllowedValue{Value: word(name), Description: &text}
	}
	for _, change := range []property.Widening{
		{AllowedValues: []property.AllowedValue{described("gold", "Best")}},
		{AllAllowedValues: []property.AllowedValue{{Value: word("bronze")}, described("silver", "Good"), described("gold", "Best")}},
	} {
		if err := update(change); err != nil {
			t.Fatal(err)
		}
	}
	const want = `"allowedValues":[{"value":{"string":"bronze"}},{"description":"Good","value":{"string":"silver"}},{"description":"Best","value":{"string":"gold"}}]`
	for name, refused := range map[string]property.Widening{
		"a value is missing":         {AllAllowedValues: []property.AllowedValue{{Value: word("bronze")}, {Value: word("gold")}}},
		"some are added besides":     {AllAllowedValues: []property.AllowedValue{{Value: word("gold")}}, AllowedValues: []property.AllowedValue{{Value: word("tin")}}},
		"a number among the texts":   {AllAllowedValues: []property.AllowedValue{{Value: property.Value{Number: ptr(1.0)}}}},
		"more values than there may": {AllAllowedValues: make([]property.AllowedValue, 1001)},
	} {
		if kind := fault.KindOf(update(refused)); kind != fault.Malformed && kind != fault.Invalid && kind != fault.TooLarge {
			t.Errorf("%s: got %v", name, kind)
		}
		if got := w.Get(t, tier, "propertyDefinition"); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s in it", name, got, want)
		}
	}
	if err := s.Update(w.As(t, servicetest.Root), score, property.Widening{AllAllowedValues: []property.AllowedValue{{Value: property.Value{Number: ptr(1.0)}}}}); fault.KindOf(err) != fault.Malformed {
		t.Errorf("of a property with any values: got %v", err)
	}
}

func TestUpsertMergesByProperty(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	ctx := w.As(t, servicetest.Jo)
	for _, list := range [][]property.Assignment{
		{{Property: string(tier), Values: []property.Value{word("gold")}}, {Property: string(score), Values: []property.Value{{Number: ptr(1.0)}}}},
		{{Property: string(score), Values: []property.Value{{Number: ptr(2.5)}, {Number: ptr(3.0)}}}},
		{},
	} {
		if err := s.Upsert(ctx, orders, list); err != nil {
			t.Fatal(err)
		}
	}
	got := w.Get(t, orders, property.Aspect)
	if !strings.Contains(got, `"values":[{"string":"gold"}]`) || !strings.Contains(got, `[{"double":2.5},{"double":3`) || strings.Count(got, "propertyUrn") != 2 {
		t.Errorf("got %s, want gold and the second numbers", got)
	}
	if err := s.Remove(ctx, orders, []string{string(tier), "urn:li:structuredProperty:none"}); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, orders, property.Aspect); strings.Contains(got, string(tier)) || !strings.Contains(got, string(score)) {
		t.Errorf("got %s, want the score alone", got)
	}
	if err := s.Upsert(ctx, column, []property.Assignment{{Property: string(tier), Values: []property.Value{word("silver")}}}); err != nil {
		t.Errorf("a column nobody wrote yet: %v", err)
	}
}

func TestUpsertRefusals(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	gold := []property.Value{word("gold")}
	for name, tc := range map[string]struct {
		as    urn.URN
		asset urn.URN
		give  property.Assignment
		want  fault.Kind
	}{
		"a value that is not allowed":   {servicetest.Jo, orders, property.Assignment{Property: string(tier), Values: []property.Value{word("lead")}}, fault.Invalid},
		"a number for a text":           {servicetest.Jo, orders, property.Assignment{Property: string(tier), Values: []property.Value{{Number: ptr(1.0)}}}, fault.Invalid},
		"a property that is not there":  {servicetest.Jo, orders, property.Assignment{Property: "urn:li:structuredProperty:none", Values: gold}, fault.Malformed},
		"something that is no property": {servicetest.Jo, orders, property.Assignment{Property: "urn:li:tag:x", Values: gold}, fault.Malformed},
		"no value":                      {servicetest.Jo, orders, property.Assignment{Property: string(tier)}, fault.Malformed},
		"too many values":               {servicetest.Jo, orders, property.Assignment{Property: string(tier), Values: make([]property.Value, 1001)}, fault.TooLarge},
		"an asset that is not there":    {servicetest.Jo, "urn:li:container:none", property.Assignment{Property: string(tier), Values: gold}, fault.Malformed},
		"an asset others take care of":  {servicetest.Jo, "urn:li:domain:shop", property.Assignment{Property: string(tier), Values: gold}, fault.Forbidden},
	} {
		t.Run(name, func(t *testing.T) {
			err := s.Upsert(w.As(t, tc.as), tc.asset, []property.Assignment{tc.give})
			if fault.KindOf(err) != tc.want {
				t.Errorf("got %v (%v), want %v", err, fault.KindOf(err), tc.want)
			}
		})
	}
	if got := w.Get(t, orders, property.Aspect); got != "" {
		t.Errorf("got %s, want nothing written", got)
	}
}

func TestDeleteTakesValuesAway(t *testing.T) {
	t.Parallel()
	s, w := newService(t)
	if err := s.Upsert(w.As(t, servicetest.Jo), orders, []property.Assignment{{Property: string(tier), Values: []property.Value{word("gold")}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(w.As(t, servicetest.Jo), tier); fault.KindOf(err) != fault.Forbidden {
		t.Errorf("by an ordinary user: got %v", err)
	}
	if err := s.Delete(w.As(t, servicetest.Root), tier); fault.KindOf(err) != fault.Invalid {
		t.Errorf("while it is active: got %v", err)
	}
	w.Put(t, tier, "status", `{"removed":true}`)
	if err := s.Delete(w.As(t, servicetest.Root), tier); err != nil {
		t.Fatal(err)
	}
	if got := w.Get(t, orders, property.Aspect); strings.Contains(got, string(tier)) {
		t.Errorf("got %s, want no value of the property", got)
	}
	if err := s.Delete(w.As(t, servicetest.Root), tier); fault.KindOf(err) != fault.Malformed {
		t.Errorf("once more: got %v", err)
	}
}

// TestThePrivilegeIsEnoughToDelete: the catalog does not additionally require DELETE_ENTITY.
func TestThePrivilegeIsEnoughToDelete(t *testing.T) {
	t.Parallel()
	_, w := newService(t)
	w.Put(t, tier, "status", `{"removed":true}`)
	granted := property.New(w.Granting(servicetest.Grants{Platform: []auth.Privilege{auth.ManageProperties}}))
	if err := granted.Delete(w.As(t, servicetest.Mia), tier); err != nil {
		t.Error(err)
	}
}
