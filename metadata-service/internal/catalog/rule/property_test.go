package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const property = urn.URN("urn:li:structuredProperty:team.cost")

// definition returns the definition of the property with further members.
func definition(valueType, more string) catalog.Proposal {
	return catalogtest.Proposal(property, "propertyDefinition", fmt.Sprintf(
		`{"qualifiedName":"team.cost","valueType":"urn:li:dataType:datahub.%s","entityTypes":["urn:li:entityType:datahub.dataset"]%s}`, valueType, more))
}

// assignment returns an entry of the aspect structuredProperties.
func assignment(of urn.URN, values ...string) string {
	return fmt.Sprintf(`{"propertyUrn":%q,"values":[%s]}`, of, strings.Join(values, ","))
}

func assigned(entries ...string) catalog.Proposal {
	return catalogtest.Proposal(dataset, "structuredProperties", `{"properties":[`+strings.Join(entries, ",")+`]}`)
}

func text(s string) string { return fmt.Sprintf(`{"string":%q}`, s) }

func number(s string) string { return `{"double":` + s + `}` }

// modelTypes returns the built-in types that definitions refer to.
func modelTypes() []catalog.Proposal {
	var types []catalog.Proposal
	for _, name := range []string{"string", "rich_text", "number", "date", "urn"} {
		types = append(types, catalogtest.Proposal(urn.Make("dataType", "datahub."+name), "dataTypeInfo", `{"qualifiedName":"datahub.`+name+`"}`))
	}
	for _, name := range []string{"hive", "kafka"} {
		types = append(types, catalogtest.Proposal(urn.Make("dataPlatform", name), "dataPlatformInfo", `{"name":"`+name+`","type":"OTHERS","datasetNameDelimiter":"."}`))
	}
	for _, name := range []string{"dataset", "corpuser"} {
		types = append(types, catalogtest.Proposal(urn.Make("entityType", "datahub."+name), "entityTypeInfo", `{"qualifiedName":"datahub.`+name+`"}`))
	}
	return types
}

func after(more ...catalog.Proposal) []catalog.Proposal { return append(modelTypes(), more...) }

func TestPropertyDefinitions(t *testing.T) {
	spaced := catalogtest.Proposal("urn:li:structuredProperty:team cost", "propertyDefinition", string(definition("string", "").Value))
	spacedKey := catalogtest.Proposal("urn:li:structuredProperty:team cost", "status", `{}`)
	collision := catalogtest.Proposal("urn:li:structuredProperty:team_cost", "propertyDefinition", string(definition("string", "").Value))
	unlike := catalogtest.Proposal("urn:li:structuredProperty:team_costs", "propertyDefinition", string(definition("string", "").Value))
	renamed := definition("string", "")
	renamed.Value = []byte(strings.Replace(string(renamed.Value), "team.cost", "team.price", 1))
	nameWithSpace := definition("string", "")
	nameWithSpace.Value = []byte(strings.Replace(string(nameWithSpace.Value), "team.cost", "team cost", 1))
	multiple, single := `,"cardinality":"MULTIPLE"`, `,"cardinality":"SINGLE"`
	allow := func(values ...string) string {
		for i, v := range values {
			values[i] = `{"value":` + text(v) + `}`
		}
		return `,"allowedValues":[` + strings.Join(values, ",") + `]`
	}
	v1, v2 := `,"version":"20260101000000"`, `,"version":"20260102000000"`
	gone := catalogtest.Proposal(property, "status", `{"removed":true}`)
	runRules(t, []ruleCase{
		{name: "a definition passes", before: modelTypes(), write: definition("string", v1)},
		{name: "an id with a space is refused", before: modelTypes(), write: spaced, refused: "must not contain spaces"},
		{name: "in whatever aspect it comes", write: spacedKey, refused: "must not contain spaces"},
		{name: "a name with a space is refused", before: modelTypes(), write: nameWithSpace, refused: "/qualifiedName"},
		{name: "a short version is refused", before: modelTypes(), write: definition("string", `,"version":"1"`), refused: "14 digits"},
		{name: "a version of letters is refused", before: modelTypes(), write: definition("string", `,"version":"2026010100000x"`), refused: "14 digits"},
		{name: "allowed types that exist pass", before: modelTypes(), write: definition("urn", `,"typeQualifier":{"allowedTypes":["urn:li:entityType:datahub.corpuser"]}`)},
		{name: "allowed types that are absent are refused", before: modelTypes(), write: definition("urn", `,"typeQualifier":{"allowedTypes":["urn:li:entityType:datahub.cow"]}`), refused: "datahub.cow"},
		{name: "the same search field is refused", before: after(definition("string", "")), write: collision, refused: "same name in the search index"},
		{name: "a name that only begins alike passes", before: after(definition("string", "")), write: unlike},
		{name: "the qualified name stays", before: after(definition("string", "")), write: renamed, refused: "cannot be changed"},
		{name: "the value type stays", before: after(definition("string", "")), write: definition("number", ""), refused: "/valueType"},
		{name: "it changes with a higher version", before: after(definition("string", v1)), write: definition("number", v2)},
		{name: "not with the same version", before: after(definition("string", v1)), write: definition("number", v1), refused: "higher version"},
		{name: "single becomes multiple", before: after(definition("string", single)), write: definition("string", multiple)},
		{name: "multiple does not become single", before: after(definition("string", multiple)), write: definition("string", single), refused: "/cardinality"},
		{name: "allowed values may be added", before: after(definition("string", allow("a"))), write: definition("string", allow("b", "a"))},
		{name: "allowed values cannot go", before: after(definition("string", allow("a", "b"))), write: definition("string", allow("b")), refused: `{"string":"a"}`},
		{name: "free values cannot be restricted", before: after(definition("string", "")), write: definition("string", allow("b")), refused: "cannot restrict"},
		{name: "restricted values may become free", before: after(definition("string", allow("a"))), write: definition("string", "")},
		{name: "a soft-deleted definition is closed", before: after(definition("string", ""), gone), write: definition("string", `,"description":"x"`), refused: "Cannot mutate a soft deleted Structured Property Definition: urn:li:structuredProperty:"},
	})
}

func TestPropertyValues(t *testing.T) {
	other := urn.URN("urn:li:structuredProperty:other")
	of := func(valueType, more string, values ...string) (before []catalog.Proposal, write catalog.Proposal) {
		return after(definition(valueType, more)), assigned(assignment(property, values...))
	}
	pass := func(name, valueType, more string, values ...string) ruleCase {
		before, write := of(valueType, more, values...)
		return ruleCase{name: name, before: before, write: write}
	}
	refuse := func(name, reason, valueType, more string, values ...string) ruleCase {
		c := pass(name, valueType, more, values...)
		c.refused = reason
		return c
	}
	multiple := `,"cardinality":"MULTIPLE"`
	allowed := `,"allowedValues":[{"value":{"string":"a"}},{"value":{"string":"b"}}]`
	users := `,"typeQualifier":{"allowedTypes":["urn:li:entityType:datahub.corpuser"]}`
	immutable := definition("string", `,"immutable":true`)
	red := assigned(assignment(property, text("red")))
	gone := catalogtest.Proposal(property, "status", `{"removed":true}`)
	otherDefinition := definition("string", "")
	otherDefinition.URN = string(other)
	patched := func(operations string) catalog.Proposal {
		return catalogtest.Proposal(dataset, "structuredProperties", operations, model.Patch)
	}
	runRules(t, []ruleCase{
		pass("a text passes", "string", "", text("x")),
		refuse("a number is no text", "must be a text", "string", "", number("1")),
		refuse("a long text is refused", "32766", "string", "", text(strings.Repeat("x", 32767))),
		pass("a rich text passes", "rich_text", "", text("<b>x</b>")),
		pass("a number passes", "number", "", number("1.5")),
		refuse("a text is no number", "must be a number", "number", "", text("1")),
		pass("a date passes", "date", "", text("2026-02-28")),
		refuse("no day of the calendar is refused", "YYYY-MM-DD", "date", "", text("2026-02-30")),
		refuse("a short date is refused", "YYYY-MM-DD", "date", "", text("2026-2-3")),
		pass("a URN passes", "urn", "", text("urn:li:tag:x")),
		refuse("what is no URN is refused", "must be a URN", "urn", "", text("x")),
		pass("a URN of an allowed type passes", "urn", users, text(string(jo))),
		refuse("a URN of another type is refused", "must be a URN of", "urn", users, text("urn:li:tag:x")),
		pass("an allowed value passes", "string", allowed, text("b")),
		refuse("another value is refused with those that are allowed", string(property)+`, value: {string=c} should be one of [{string=a}, {string=b}]`, "string", allowed, text("c")),
		refuse("another number is refused with those that are allowed", string(property)+`, value: {double=2.0} should be one of [{double=30.0}, {double=1.5}]`,
			"number", `,"allowedValues":[{"value":{"double":30}},{"value":{"double":1.5}}]`, number("2")),
		pass("an allowed number passes in either form", "number", `,"allowedValues":[{"value":{"double":30}}]`, number("30.0")),
		pass("several values pass", "string", multiple, text("a"), text("b")),
		refuse("several values of a single property are refused", string(property)+" has cardinality 1, but multiple values were assigned: found 2", "string", "", text("a"), text("b")),
		pass("an asset of an allowed platform passes", "string", `,"allowedPlatforms":["urn:li:dataPlatform:hive"]`, text("a")),
		refuse("an asset of another platform is refused", "is for assets of", "string", `,"allowedPlatforms":["urn:li:dataPlatform:kafka"]`, text("a")),
		{
			name: "two entries of a property are refused", before: after(definition("string", "")),
			write: assigned(assignment(property, text("a")), assignment(property, text("b"))), refused: "must not be repeated",
		},
		{name: "undefined properties alone are refused", write: assigned(assignment(other, text("a"))), refused: "none of the properties is defined"},
		{
			name: "undefined ones among others are dropped", before: after(definition("string", "")),
			write: assigned(assignment(property, text("a")), assignment(other, text("b"))), then: `{"properties":[` + assignment(property, text("a")) + `]}`,
		},
		{name: "soft-deleted properties are refused", before: after(definition("string", ""), gone), write: red, refused: "Cannot apply a soft deleted Structured Property value: urn:li:structuredProperty:"},
		{
			name: "an asset with a value of a property that was soft-deleted is patched", before: after(definition("string", ""), otherDefinition, red, gone),
			write: patched(`[{"op":"add","path":"/properties/` + string(other) + `","value":` + assignment(other, text("b")) + `}]`),
			then:  `{"properties":[` + assignment(property, text("red")) + `,` + assignment(other, text("b")) + `]}`,
		},
		{
			name: "what a patch adds of a soft-deleted property is refused", before: after(definition("string", ""), red, gone), refused: "Cannot apply a soft deleted Structured Property value: urn:li:structuredProperty:",
			write: patched(`[{"op":"add","path":"/properties/` + string(property) + `","value":` + assignment(property, text("red")) + `}]`),
		},
		{
			name: "and so is what a patch changes of it", before: after(definition("string", ""), red, gone), refused: "Cannot apply a soft deleted Structured Property value: urn:li:structuredProperty:",
			write: patched(`[{"op":"replace","path":"/properties/` + string(property) + `/values","value":[` + text("blue") + `]}]`),
		},
		{
			name: "a patch leaves values that are not allowed any more", before: after(definition("string", `,"version":"20260101000000"`), otherDefinition, red, definition("string", `,"version":"20260102000000"`+allowed)),
			write: patched(`[{"op":"add","path":"/properties/` + string(other) + `","value":` + assignment(other, text("b")) + `}]`),
		},
		{
			name: "an immutable value cannot be patched", before: after(immutable, red), refused: "immutable",
			write: patched(`[{"op":"replace","path":"/properties/` + string(property) + `/values","value":[` + text("blue") + `]}]`),
		},
		{name: "an immutable value may be written again", before: after(immutable, red), write: red},
		{name: "it cannot change", before: after(immutable, red), write: assigned(assignment(property, text("blue"))), refused: "immutable"},
		{name: "it cannot be left out", before: after(immutable, red), write: assigned(), refused: "cannot be removed"},
		{
			name: "it cannot be patched away", before: after(immutable, red), refused: "cannot be removed",
			write: catalogtest.Proposal(dataset, "structuredProperties", `[{"op":"remove","path":"/properties/`+string(property)+`"}]`, model.Patch),
		},
		{name: "it cannot be deleted", before: after(immutable, red), write: catalogtest.Proposal(dataset, "structuredProperties", "", model.Delete), refused: "cannot be removed"},
		{name: "it goes with its entity", before: after(immutable, red), write: catalogtest.Proposal(dataset, "", "", model.Delete)},
		{name: "other values can be deleted", before: after(definition("string", ""), red), write: catalogtest.Proposal(dataset, "structuredProperties", "", model.Delete)},
	})
}

func TestRemovedPropertiesAreHiddenInReads(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		other := urn.URN("urn:li:structuredProperty:other")
		second := definition("string", "")
		second.URN = string(other)
		f.Must(after(definition("string", ""), second)...)
		f.Must(assigned(assignment(property, text("a")), assignment(other, text("b"))))
		f.Put(other, "status", `{"removed":true}`)

		want := catalogtest.Canonical(t, `{"properties":[`+assignment(property, text("a"))+`]}`)
		a, err := f.Aspect(f.As(jo), dataset, "structuredProperties", 0, catalog.Concealed)
		if err != nil || string(a.Value) != want {
			t.Errorf("got %s (%v), want %s", a.Value, err, want)
		}
		entities, err := f.Entities(f.As(jo), []urn.URN{dataset}, catalog.EntityQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if a, _ := entities[0].Find("structuredProperties"); string(a.Value) != want {
			t.Errorf("got %s, want %s", a.Value, want)
		}
		f.Put(other, "status", `{"removed":false}`)
		a, err = f.Aspect(f.As(jo), dataset, "structuredProperties", 0, catalog.Concealed)
		if err != nil || !strings.Contains(string(a.Value), string(other)) {
			t.Errorf("a restored property is still hidden: %s (%v)", a.Value, err)
		}
		if _, err := f.Aspect(f.As(jo), dataset, "structuredProperties", 9, catalog.Concealed); fault.KindOf(err) != fault.NotFound {
			t.Errorf("an absent version gives %v", err)
		}
	})
}

func TestOnePropertyIsTheBadgeOfAssetsWhicheverAPIWritesIt(t *testing.T) {
	const tier, cost = urn.URN("urn:li:structuredProperty:tier"), urn.URN("urn:li:structuredProperty:cost")
	shown := catalogtest.Proposal(cost, "structuredPropertySettings", `{"showAsAssetBadge":true}`)
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Refuse(fault.Invalid, "is the badge of assets already", shown, catalogtest.Proposal(tier, "structuredPropertySettings", `{"showAsAssetBadge":true}`))
		f.Put(tier, "structuredPropertySettings", `{"showAsAssetBadge":true}`)
		f.Refuse(fault.Invalid, "is the badge of assets already", catalogtest.Proposal(cost, "structuredPropertySettings", `{"showAsAssetBadge":true}`))
		f.Put(cost, "structuredPropertySettings", `{"showInSearchFilters":true}`)
		f.Refuse(fault.Invalid, "is the badge of assets already", catalogtest.Proposal(cost, "structuredPropertySettings",
			`{"patch":[{"op":"add","path":"/showAsAssetBadge","value":true}],"arrayPrimaryKeys":{},"forceGenericPatch":true}`, model.Patch))
		f.Put(tier, "structuredPropertySettings", `{"showAsAssetBadge":false}`)
		f.Must(shown)
	})
}
