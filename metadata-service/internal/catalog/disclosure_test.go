package catalog_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/encryption"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	hiddenTag   urn.URN = "urn:li:tag:hidden"
	openTag     urn.URN = "urn:li:tag:open"
	hiddenStore urn.URN = "urn:li:container:hidden"
	hiddenUser  urn.URN = "urn:li:corpuser:hidden"
)

// disclosing runs a test on each driver with a dataset that names hidden entities.
func disclosing(t *testing.T, story func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names)) {
	t.Helper()
	names, err := encryption.NewNames("a secret for tests")
	if err != nil {
		t.Fatal(err)
	}
	catalogtest.HidingOnDrivers(t, []urn.URN{hiddenTag, hiddenStore, hiddenUser}, func(t *testing.T, f *catalogtest.Fixture) {
		f.Service.Names = names
		for u, aspects := range map[urn.URN]map[string]string{
			hiddenTag:   {"tagProperties": properties("hidden")},
			openTag:     {"tagProperties": properties("open")},
			hiddenStore: {"containerProperties": `{"name":"hidden"}`},
			hiddenUser:  {"corpUserInfo": `{"active":true}`},
			dataset: {
				"globalTags":    withTags(hiddenTag, openTag),
				"container":     `{"container":"urn:li:container:hidden"}`,
				"browsePathsV2": `{"path":[{"id":"urn:li:container:hidden","urn":"urn:li:container:hidden"},{"id":"plain"}]}`,
				"status":        `{"removed":false}`,
			},
		} {
			for aspect, value := range aspects {
				f.MustAs(model.SystemActor, catalogtest.Proposal(u, aspect, value))
			}
		}
		story(t, f, names)
	})
}

// stands returns the restricted URN of a hidden entity within an aspect.
func stands(names *encryption.Names, of urn.URN, aspect string, u urn.URN) urn.URN {
	return catalog.Restrict(names, catalog.WithinAspect(of, aspect), u)
}

func withTags(tags ...urn.URN) string {
	var entries []string
	for _, u := range tags {
		entries = append(entries, `{"tag":"`+string(u)+`"}`)
	}
	return `{"tags":[` + strings.Join(entries, ",") + `]}`
}

// shownOf returns the dataset's aspects by name as the actor sees them.
func shownOf(t *testing.T, f *catalogtest.Fixture, ctx context.Context, form catalog.Disclosure) map[string]string {
	t.Helper()
	found, err := f.Entities(ctx, []urn.URN{dataset}, catalog.EntityQuery{Disclosure: form})
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, a := range found[0].Aspects {
		shown[a.Spec.Name] = string(a.Value)
	}
	return shown
}

func TestEachFormOfDisclosureShowsNothingHidden(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names) {
		tag, step := stands(names, dataset, "globalTags", hiddenTag), string(stands(names, dataset, "browsePathsV2", hiddenStore))
		inPlace := `{"path":[{"id":"` + step + `","urn":"` + step + `"},{"id":"plain"}]}`
		within := `{"container":"` + string(stands(names, dataset, "container", hiddenStore)) + `"}`
		for form, want := range map[catalog.Disclosure]map[string]string{
			catalog.Concealed: {"globalTags": withTags(tag, openTag), "container": within, "browsePathsV2": inPlace, "status": `{"removed":false}`},
			catalog.Omitted:   {"globalTags": withTags(openTag), "container": "", "browsePathsV2": `{"path":[{"id":"plain"}]}`, "status": `{"removed":false}`},
			catalog.Located:   {"globalTags": withTags(openTag), "container": within, "browsePathsV2": inPlace, "status": `{"removed":false}`},
		} {
			shown := shownOf(t, f, f.As(jo), form)
			for aspect, value := range want {
				if shown[aspect] != catalogtest.Canonical(t, value) {
					t.Errorf("form %d shows %s as %s, want %s", form, aspect, shown[aspect], value)
				}
				a, err := f.Aspect(f.As(jo), dataset, aspect, 0, form)
				if value == "" {
					catalogtest.WantFault(t, err, fault.NotFound, "does not exist")
				} else if err != nil || string(a.Value) != catalogtest.Canonical(t, value) {
					t.Errorf("form %d shows %s alone as %s (%v), want %s", form, aspect, a.Value, err, value)
				}
			}
		}
		if shown := shownOf(t, f, f.As(model.SystemActor), catalog.Omitted); shown["globalTags"] != catalogtest.Canonical(t, withTags(hiddenTag, openTag)) {
			t.Errorf("the system actor is shown %s", shown["globalTags"])
		}
		f.Service.Names = nil
		if shown := shownOf(t, f, f.As(jo), catalog.Concealed); shown["globalTags"] != catalogtest.Canonical(t, withTags(openTag)) || shown["container"] != "" {
			t.Errorf("without names, %v is shown", shown)
		}
	})
}

func TestVersionsShowNothingHidden(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, _ *encryption.Names) {
		f.MustAs(model.SystemActor, catalogtest.Proposal(dataset, "globalTags", withTags(openTag)))
		f.MustAs(model.SystemActor, catalogtest.Proposal(dataset, "container", `{"container":"urn:li:container:open"}`))
		for aspect, want := range map[string][]string{
			"globalTags": {withTags(openTag), withTags(openTag)},
			"container":  {`{"container":"urn:li:container:open"}`},
		} {
			var got []string
			for a, err := range f.History(f.As(jo), dataset, aspect, 10) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(a.Value))
			}
			for i := range want {
				want[i] = catalogtest.Canonical(t, want[i])
			}
			if !slices.Equal(got, want) {
				t.Errorf("versions of %s are %v, want %v", aspect, got, want)
			}
		}
	})
}

func TestAnAnswerToAWriteShowsNothingHidden(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, _ *encryption.Names) {
		patch := func(aspect, operations string) catalog.Proposal {
			return catalogtest.Proposal(dataset, aspect, operations, model.Patch)
		}
		written, err := f.Write(f.As(jo), []catalog.Proposal{
			patch("globalTags", `[{"op":"add","path":"/tags/urn:li:tag:more","value":{"tag":"urn:li:tag:more"}}]`),
		}, catalog.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		stored := catalogtest.Canonical(t, withTags(hiddenTag, openTag, "urn:li:tag:more"))
		f.WantValue(dataset, "globalTags", stored)
		shown, err := f.DiscloseWritten(f.As(jo), written, catalog.Omitted)
		if err != nil || string(shown[0].Record.Value) != catalogtest.Canonical(t, withTags(openTag, "urn:li:tag:more")) {
			t.Errorf("the answer shows %s (%v)", shown[0].Record.Value, err)
		}
		if string(written[0].Record.Value) != stored {
			t.Errorf("what was written became %s", written[0].Record.Value)
		}
		whole, err := f.DiscloseWritten(f.As(model.SystemActor), written, catalog.Omitted)
		if err != nil || string(whole[0].Record.Value) != stored {
			t.Errorf("the system actor is shown %s (%v)", whole[0].Record.Value, err)
		}
		stays, err := f.Write(f.As(model.SystemActor), []catalog.Proposal{catalogtest.Proposal(dataset, "container", `{"container":"urn:li:container:hidden"}`)}, catalog.WriteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if shown, err = f.DiscloseWritten(f.As(jo), stays, catalog.Omitted); err != nil || shown[0].Record != nil {
			t.Errorf("of an aspect that is hidden, %v is shown (%v)", shown[0].Record, err)
		}
	})
}

func TestRestrictedEntitiesAreKeptWhereTheyAre(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names) {
		tag := stands(names, dataset, "globalTags", hiddenTag)
		f.MustAs(jo, catalogtest.Proposal(dataset, "globalTags", withTags(tag, openTag, "urn:li:tag:more")))
		f.WantValue(dataset, "globalTags", withTags(hiddenTag, openTag, "urn:li:tag:more"))

		// A path repeats the name of its containers.
		f.MustAs(model.SystemActor, catalogtest.Proposal(dataset, "browsePathsV2", `{"path":[{"id":"Shop","urn":"urn:li:container:hidden"},{"id":"plain"}]}`))
		a, err := f.Aspect(f.As(jo), dataset, "browsePathsV2", 0, catalog.Concealed)
		if err != nil || strings.Contains(string(a.Value), "Shop") {
			t.Errorf("the path is shown as %s (%v)", a.Value, err)
		}
		f.MustAs(jo, catalogtest.Proposal(dataset, "browsePathsV2", string(a.Value)))
		f.WantValue(dataset, "browsePathsV2", `{"path":[{"id":"urn:li:container:hidden","urn":"urn:li:container:hidden"},{"id":"plain"}]}`)

		other := catalogtest.Table("other")
		f.Put(other, "globalTags", withTags(openTag))
		ctx := f.As(jo)
		f.RefuseAs(ctx, fault.Invalid, "restricted entities can be kept where they are", catalogtest.Proposal(other, "globalTags", withTags(tag)))
		f.RefuseAs(ctx, fault.Invalid, "restricted entities can be kept where they are", catalogtest.Proposal(catalogtest.Table("new"), "globalTags", withTags(tag)))
		f.RefuseAs(ctx, fault.Malformed, "is not a restricted entity that this service gave", catalogtest.Proposal(dataset, "globalTags", withTags("urn:li:restricted:forged")))
		f.RefuseAs(ctx, fault.Invalid, "more text after the JSON value", catalogtest.Proposal(dataset, "globalTags", withTags(tag)+"}"))

		f.MustAs(jo, catalogtest.Proposal(dataset, "globalTags", withTags(openTag)))
		f.RefuseAs(ctx, fault.Invalid, "restricted entities can be kept where they are", catalogtest.Proposal(dataset, "globalTags", withTags(tag, openTag)))
	})
}

// An actor that edits an entity can write any URN into it and then reads a restricted name in its
// place. This name must not reveal which URNs other entities name.
func TestNamesOfRestrictedEntitiesDifferByPlace(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names) {
		own := catalogtest.Table("own")
		f.MustAs(model.SystemActor, catalogtest.Proposal(own, "globalTags", withTags(hiddenTag)))
		shown := map[urn.URN]bool{}
		for _, u := range []urn.URN{dataset, own} {
			a, err := f.Aspect(f.As(jo), u, "globalTags", 0, catalog.Concealed)
			if err != nil {
				t.Fatal(err)
			}
			value, _ := jsontree.DecodeObject(a.Value)
			name := urn.URN(jsontree.Text(jsontree.Children(value, "tags")[0], "tag"))
			if name.Type() != catalog.RestrictedType || !catalog.IsRestricted(names, name) || shown[name] {
				t.Errorf("%s shows %s", u, name)
			}
			shown[name] = true
			if stands, ok := catalog.Unrestrict(names, catalog.WithinAspect(u, "globalTags"), name); !ok || stands != hiddenTag {
				t.Errorf("in its place %s stands for %s", name, stands)
			}
			if _, ok := catalog.Unrestrict(names, catalog.WithinAspect(u, "glossaryTerms"), name); ok {
				t.Errorf("%s stands for something elsewhere", name)
			}
		}
		if catalog.IsRestricted(names, "urn:li:restricted:x") || catalog.IsRestricted(nil, catalog.Restrict(names, "x", hiddenTag)) {
			t.Error("what was not given is restricted")
		}
	})
}

// The search index contains texts, so a hidden URN must not get into a text.
func TestHiddenURNsDoNotMoveWithinAValue(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names) {
		const dashboard urn.URN = "urn:li:dashboard:(looker,d)"
		hidden, properties := string(hiddenUser), func(title, description, k, owner string) string {
			return `{"title":"` + title + `","description":"` + description + `","customProperties":{"k":"` + k + `"},"charts":[],"lastModified":{"created":{"time":1,"actor":"` + owner + `"},"lastModified":{"time":1,"actor":"urn:li:corpuser:jo"}}}`
		}
		f.MustAs(model.SystemActor, catalogtest.Proposal(dashboard, "dashboardInfo", properties("t", "d", "v", hidden)))
		stands := string(stands(names, dashboard, "dashboardInfo", hiddenUser))
		f.MustAs(jo, catalogtest.Proposal(dashboard, "dashboardInfo", properties("t", "more", "v", stands)))
		f.WantValue(dashboard, "dashboardInfo", properties("t", "more", "v", hidden))
		ctx := f.As(jo)
		for _, value := range []string{properties(stands, "d", "v", stands), properties("t", stands, "v", stands), properties("t", "d", stands, stands), properties("t", `[\"`+stands+`\"]`, "v", stands)} {
			f.RefuseAs(ctx, fault.Invalid, "restricted entities can be kept where they are", catalogtest.Proposal(dashboard, "dashboardInfo", value))
		}
		patched := func(operations string) catalog.Proposal {
			return catalogtest.Proposal(dashboard, "dashboardInfo", operations, model.Patch)
		}
		for _, operations := range []string{
			`[{"op":"copy","from":"/lastModified/created/actor","path":"/title"}]`,
			`[{"op":"move","from":"/lastModified/created/actor","path":"/customProperties/k"}]`,
			`[{"op":"test","path":"/lastModified/created/actor","value":"` + hidden + `"}]`,
			`[{"op":"test","path":"/lastModified/created/actor","value":"urn:li:corpuser:other"}]`,
		} {
			f.RefuseAs(ctx, fault.Forbidden, "use add, replace and remove", patched(operations))
		}
		f.RefuseAs(ctx, fault.Invalid, "restricted entities can be kept where they are", patched(`[{"op":"add","path":"/title","value":"`+stands+`"}]`))
		f.MustAs(jo, patched(`[{"op":"add","path":"/title","value":"new"},{"op":"add","path":"/lastModified/created/actor","value":"`+stands+`"}]`))
		f.WantValue(dashboard, "dashboardInfo", properties("new", "more", "v", hidden))
		f.MustAs(model.SystemActor, patched(`[{"op":"copy","from":"/description","path":"/title"}]`))
		f.MustAs(jo, catalogtest.Proposal(dashboard, "dashboardInfo", properties("t", "d", "v", string(jo))))
		f.MustAs(jo, patched(`[{"op":"copy","from":"/description","path":"/title"}]`))
		f.WantValue(dashboard, "dashboardInfo", properties("d", "d", "v", string(jo)))
	})
}

// Values of a property of URNs are not indexed as texts; values of a text property are.
func TestHiddenURNsDoNotGetAnotherMeaning(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names) {
		const urns, texts = "urn:li:structuredProperty:u", "urn:li:structuredProperty:t"
		f.MustAs(model.SystemActor, catalogtest.Proposal("urn:li:entityType:datahub.dataset", "entityTypeInfo", `{"qualifiedName":"datahub.dataset"}`))
		for u, kind := range map[urn.URN]string{urns: "urn", texts: "string"} {
			f.MustAs(model.SystemActor, catalogtest.Proposal(urn.Make("dataType", "datahub."+kind), "dataTypeInfo", `{"qualifiedName":"datahub.`+kind+`"}`))
			f.MustAs(model.SystemActor, catalogtest.Proposal(u, "propertyDefinition",
				`{"qualifiedName":"`+u.Key()+`","valueType":"urn:li:dataType:datahub.`+kind+`","cardinality":"MULTIPLE","entityTypes":["urn:li:entityType:datahub.dataset"]}`))
		}
		value := func(property string, u urn.URN) string {
			return `{"propertyUrn":"` + property + `","values":[{"string":"` + string(u) + `"}]}`
		}
		f.MustAs(model.SystemActor, catalogtest.Proposal(dataset, "structuredProperties", `{"properties":[`+value(urns, hiddenUser)+`]}`))
		stands := stands(names, dataset, "structuredProperties", hiddenUser)
		ctx := f.As(jo)
		for _, moved := range []catalog.Proposal{
			catalogtest.Proposal(dataset, "structuredProperties", `{"properties":[`+value(urns, stands)+`,`+value(texts, stands)+`]}`),
			catalogtest.Proposal(dataset, "structuredProperties", `{"properties":[`+value(texts, stands)+`]}`),
			catalogtest.Proposal(dataset, "structuredProperties", `[{"op":"add","path":"/properties/`+texts+`","value":`+value(texts, stands)+`}]`, model.Patch),
			catalogtest.Proposal(dataset, "structuredProperties", `[{"op":"replace","path":"/properties/`+urns+`/propertyUrn","value":"`+texts+`"}]`, model.Patch),
			catalogtest.Proposal(dataset, "structuredProperties", `{"forceGenericPatch":true,"patch":[{"op":"replace","path":"/properties/0/propertyUrn","value":"`+texts+`"}]}`, model.Patch),
		} {
			f.RefuseAs(ctx, fault.Invalid, "restricted entities can be kept where they are", moved)
		}
		f.MustAs(jo, catalogtest.Proposal(dataset, "structuredProperties", `{"properties":[`+value(texts, "urn:li:tag:x")+`,`+value(urns, stands)+`]}`))
		f.MustAs(jo, catalogtest.Proposal(dataset, "structuredProperties", `[{"op":"remove","path":"/properties/`+texts+`"}]`, model.Patch))
		// An actor that names a guessed URN learns nothing, wherever the entity was named before.
		f.MustAs(jo, catalogtest.Proposal(dataset, "structuredProperties", `[{"op":"add","path":"/properties/`+texts+`","value":`+value(texts, hiddenUser)+`}]`, model.Patch))
	})
}

func TestRefusalsDoNotTellWhatRestrictedEntitiesStandFor(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names) {
		in := func(aspect string, u urn.URN) urn.URN { return stands(names, dataset, aspect, u) }
		for _, p := range []catalog.Proposal{
			catalogtest.Proposal(dataset, "globalTags", withTags(in("globalTags", hiddenStore))),
			catalogtest.Proposal(dataset, "globalTags", `[{"op":"add","path":"/tags/x","value":{"tag":"`+string(in("globalTags", hiddenStore))+`"}}]`, model.Patch),
			catalogtest.Proposal(dataset, "domains", `{"domains":["`+string(in("domains", hiddenUser))+`"]}`),
			catalogtest.Proposal(dataset, "status", `{"removed":"`+string(in("status", hiddenUser))+`"}`),
			catalogtest.Proposal(dataset, "ownership", `{"owners":[{"owner":"`+string(in("ownership", hiddenStore))+`","type":"DATAOWNER"}]}`),
			catalogtest.Proposal(dataset, "status", `{"`+string(in("status", hiddenUser))+`":1}`),
			catalogtest.Proposal(catalogtest.Table("new"), "domains", `{"domains":["`+string(in("domains", hiddenStore))+`"]}`),
			catalogtest.Proposal(dataset, "operation", `{"timestampMillis":1,"lastUpdatedTimestamp":1,"operationType":"`+string(in("operation", hiddenUser))+`"}`),
		} {
			_, err := f.Write(f.As(jo), []catalog.Proposal{p}, catalog.WriteOptions{})
			if err == nil || strings.Contains(err.Error(), "hidden") || strings.Contains(fault.Message(err), "hidden") {
				t.Errorf("%s of %s is answered %v", p.Value, p.URN, err)
			}
		}
	})
}

func TestDocumentsShowNothingHidden(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, names *encryption.Names) {
		operation := func(at string, actor urn.URN) catalog.Proposal {
			return catalogtest.Proposal(dataset, "operation", `{"timestampMillis":`+at+`,"lastUpdatedTimestamp":`+at+`,"operationType":"INSERT","actor":"`+string(actor)+`"}`)
		}
		for i, actor := range []urn.URN{jo, hiddenUser, hiddenUser, jo} {
			f.MustAs(model.SystemActor, operation(string(rune('1'+i)), actor))
		}
		q := catalog.TimeseriesQuery{URN: dataset, EntityType: "dataset", Aspect: "operation", Limit: 10, PartOfEntity: true}
		actors := func(ctx context.Context, q catalog.TimeseriesQuery) (out []string) {
			t.Helper()
			list, err := f.Timeseries(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			for _, doc := range list {
				value, err := jsontree.DecodeObject(doc.Event)
				if err != nil {
					t.Fatal(err)
				}
				actor, _ := value["actor"].(string)
				out = append(out, actor)
			}
			return out
		}
		ctx := f.As(jo)
		stands := string(stands(names, dataset, "operation", hiddenUser))
		if got := actors(ctx, q); !slices.Equal(got, []string{string(jo), stands, stands, string(jo)}) {
			t.Errorf("concealed, the actors are %v", got)
		}
		q.Disclosure = catalog.Omitted
		if got := actors(ctx, q); !slices.Equal(got, []string{string(jo), "", "", string(jo)}) {
			t.Errorf("omitted, the actors are %v", got)
		}
		byActor := q
		byActor.Filter = timeseries.Filter{{{Field: "actor", Values: []string{string(hiddenUser)}}}}
		if got := actors(ctx, byActor); len(got) != 0 {
			t.Errorf("a filter by a hidden actor finds %v", got)
		}
		byActor.Filter[0][0].Negated = true
		byActor.Limit = 2
		if got := actors(ctx, byActor); len(got) != 2 {
			t.Errorf("a filter by an actor that it is not finds %v", got)
		}
		summed := q
		summed.Summed, summed.PartOfEntity, summed.Limit = true, false, 2
		list, err := f.Timeseries(f.As(model.RootUser), summed)
		if err != nil || len(list) != 2 || list[0].Time != 4 || list[1].Time != 1 {
			t.Errorf("what is added up has %v (%v), want the documents that name nothing hidden", list, err)
		}
		if list, err = f.Timeseries(f.As(model.SystemActor), summed); err != nil || len(list) != 2 || list[1].Time != 3 {
			t.Errorf("the system actor adds up %v (%v)", list, err)
		}
		newest, err := f.Newest(ctx, "dataset", "operation", []urn.URN{dataset})
		if err != nil || newest[dataset].Time != 4 {
			t.Errorf("the newest is %v (%v)", newest, err)
		}
	})
}

func TestTheKernelTellsWhatIsHidden(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, _ *encryption.Names) {
		ctx, system := f.As(jo), f.As(model.SystemActor)
		const source urn.URN = "urn:li:dataHubIngestionSource:s"
		f.MustAs(model.SystemActor, catalogtest.Proposal(source, "dataHubIngestionSourceInfo", `{"name":"s","type":"mysql","config":{"recipe":"{}","executorId":"default"}}`))
		if shown, err := f.ShownEntities(ctx, source); err != nil || shown[0] {
			t.Errorf("an ingestion source is shown: %v (%v)", shown, err)
		}
		asked := []urn.URN{hiddenTag, openTag, "urn:li:tag:absent", dataset, hiddenTag}
		for _, c := range []struct {
			ctx           context.Context
			hidden, shown []bool
		}{
			{ctx, []bool{true, false, false, false, true}, []bool{false, true, false, true, false}},
			{system, make([]bool, 5), []bool{true, true, false, true, true}},
		} {
			if got, err := f.Hidden(c.ctx, asked); err != nil || !slices.Equal(got, c.hidden) {
				t.Errorf("hidden are %v (%v), want %v", got, err, c.hidden)
			}
			if got, err := f.ShownEntities(c.ctx, asked...); err != nil || !slices.Equal(got, c.shown) {
				t.Errorf("shown are %v (%v), want %v", got, err, c.shown)
			}
		}
		if _, err := f.ShownEntities(ctx, "urn:li:nothing:x"); fault.KindOf(err) != fault.Malformed {
			t.Errorf("an entity type that is not known: %v", err)
		}
		types, err := f.RestrictedTypes(ctx)
		if err != nil || len(types) != 3 || !types["tag"] {
			t.Errorf("restricted are %v (%v)", types, err)
		}
		if types, err = f.RestrictedTypes(system); err != nil || types != nil {
			t.Errorf("for the system actor restricted are %v (%v)", types, err)
		}
	})
}

func TestEventsShowNothingHidden(t *testing.T) {
	disclosing(t, func(t *testing.T, f *catalogtest.Fixture, _ *encryption.Names) {
		spec, _ := f.Registry.Aspect("globalTags")
		within, _ := f.Registry.Aspect("container")
		value := func(text string) model.Object {
			tree, err := jsontree.DecodeObject([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			return tree
		}
		shown, err := f.Shown(f.As(jo))
		if err != nil {
			t.Fatal(err)
		}
		got, err := shown.Value(f.As(jo), spec, value(withTags(hiddenTag, openTag)))
		if err != nil || string(jsontree.Encode(got)) != catalogtest.Canonical(t, withTags(openTag)) {
			t.Errorf("shown is %v (%v)", got, err)
		}
		if got, err = shown.Value(f.As(jo), spec, value(withTags(hiddenTag, openTag))); err != nil || string(jsontree.Encode(got)) != catalogtest.Canonical(t, withTags(openTag)) {
			t.Errorf("shown is %v (%v)", got, err)
		}
		if got, err = shown.Value(f.As(jo), within, value(`{"container":"urn:li:container:hidden"}`)); err != nil || got != nil {
			t.Errorf("of an aspect that is hidden, %v is shown (%v)", got, err)
		}
		if got, err = shown.Value(f.As(jo), spec, nil); err != nil || got != nil {
			t.Errorf("of nothing, %v is shown (%v)", got, err)
		}
		all, err := f.Shown(f.As(model.SystemActor))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			by   *catalog.Shown
			did  urn.URN
			want urn.URN
		}{{shown, hiddenUser, model.UnknownActor}, {shown, jo, jo}, {all, hiddenUser, hiddenUser}} {
			if got, err := c.by.Actor(f.As(jo), c.did); err != nil || got != c.want {
				t.Errorf("%s is shown as %s (%v), want %s", c.did, got, err, c.want)
			}
		}
	})
}
