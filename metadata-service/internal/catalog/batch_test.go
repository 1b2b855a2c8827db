package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/proposal"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func properties(description string) string {
	return fmt.Sprintf(`{"name":"pii","description":%q}`, description)
}

func outcomes(written []catalog.Written) []catalog.Outcome {
	var list []catalog.Outcome
	for _, w := range written {
		if w.Proposal >= 0 {
			list = append(list, w.Outcome)
		}
	}
	return list
}

func wantOutcomes(t *testing.T, written []catalog.Written, want ...catalog.Outcome) {
	t.Helper()
	if got := outcomes(written); !slices.Equal(got, want) {
		t.Errorf("outcomes %v, want %v", got, want)
	}
}

func TestBatchesApplyInOrder(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		written := f.Must(
			catalogtest.Proposal(tag, "tagProperties", properties("a")), catalogtest.Proposal(tag, "tagProperties", properties("b")), catalogtest.Proposal(tag, "tagProperties", properties("c")),
		)
		wantOutcomes(t, written, catalog.Inserted, catalog.Updated, catalog.Updated)
		f.WantValue(tag, "tagProperties", properties("c"))
		if got := f.Record(tag, "tagProperties").System.Version; got != "3" {
			t.Errorf("version %s, want 3", got)
		}
		old, err := f.Aspect(f.As(jo), tag, "TAGPROPERTIES", 1, catalog.Concealed)
		if err != nil || string(old.Value) != catalogtest.Canonical(t, properties("a")) {
			t.Errorf("version 1 is %s (%v)", old.Value, err)
		}
		for version, want := range map[int64]string{0: "c", 3: "c", 2: "b", -1: "b", -2: "a", -9: "c"} {
			got, err := f.Aspect(f.As(jo), tag, "tagProperties", version, catalog.Concealed)
			if err != nil || string(got.Value) != catalogtest.Canonical(t, properties(want)) {
				t.Errorf("version %d is %s (%v), want %s", version, got.Value, err, want)
			}
		}
	})
}

func TestIdenticalItemsCountOnce(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		same := catalogtest.Proposal(tag, "tagProperties", properties("a"))
		wantOutcomes(t, f.Must(same, same), catalog.Inserted, catalog.NoOp)
		if rec := f.Record(tag, "tagProperties"); rec.System.Version != "1" || rec.System.Properties[model.PropertyNoOp] != "" {
			t.Errorf("a new row is marked as if it had been there: %+v", rec.System)
		}
		created := catalogtest.Proposal("urn:li:tag:new", "tagProperties", properties("a"), model.Create)
		wantOutcomes(t, f.Must(created, created), catalog.Inserted, catalog.NoOp)
		add := catalogtest.Proposal(dataset, "subTypes", `{"forceGenericPatch":true,"patch":[{"op":"add","path":"/typeNames/-","value":"x"}]}`, model.Patch)
		f.Put(dataset, "subTypes", `{"typeNames":[]}`)
		wantOutcomes(t, f.Must(add, add), catalog.Updated, catalog.NoOp)
		f.WantValue(dataset, "subTypes", `{"typeNames":["x"]}`)

		t.Run("with the entity deleted between them they are two", func(t *testing.T) {
			wantOutcomes(t, f.Must(same, catalogtest.Proposal(tag, "", "", model.Delete), same), catalog.NoOp, catalog.Removed, catalog.Inserted)
			f.WantValue(tag, "tagProperties", properties("a"))
		})
		t.Run("with another value between them they are two", func(t *testing.T) {
			wantOutcomes(t, f.Must(same, catalogtest.Proposal(tag, "tagProperties", properties("b")), same), catalog.NoOp, catalog.Updated, catalog.Updated)
			f.WantValue(tag, "tagProperties", properties("a"))
		})
		t.Run("of another run they are two", func(t *testing.T) {
			other := same
			other.System.RunID = "r2"
			wantOutcomes(t, f.Must(same, other), catalog.NoOp, catalog.NoOp)
			if got := f.Record(tag, "tagProperties").System.RunID; got != "r2" {
				t.Errorf("run %s", got)
			}
		})
	})
}

func TestBatchesAreAllOrNothing(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:pii"
		good := catalogtest.Proposal(tag, "tagProperties", properties("a"))
		f.Refuse(fault.Invalid, "Unknown aspect colour for entity tag", good, catalogtest.Proposal(tag, "colour", `{}`))
		f.Refuse(fault.Invalid, "CREATE", good, catalogtest.Proposal("urn:li:tag:x", "status", `{}`), catalogtest.Proposal(tag, "tagProperties", properties("b"), model.Create))
		if f.Record(tag, "tagProperties") != nil || f.Record("urn:li:tag:x", "tagKey") != nil {
			t.Error("a part of a refused batch is stored")
		}
		_, err := f.Write(f.As(root), []catalog.Proposal{catalogtest.Proposal(tag, "a", `{}`), good, catalogtest.Proposal(tag, "b", `{}`)}, catalog.WriteOptions{Async: true})
		var refused *catalog.WriteError
		if !errors.As(err, &refused) || len(refused.Items) != 2 || refused.Items[0].Index != 0 || refused.Items[1].Index != 2 {
			t.Fatalf("want the items 0 and 2, got %v", err)
		}
		if !strings.Contains(err.Error(), "Nothing of the batch was written") || !strings.Contains(refused.Items[1].Error(), "item 2 (urn:li:tag:pii, b): Unknown aspect b") {
			t.Errorf("the error does not help: %v; %v", err, refused.Items[1])
		}
	})
}

func TestLongErrorsAreCut(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	batch := make([]catalog.Proposal, 30)
	for i := range batch {
		batch[i] = catalogtest.Proposal("urn:li:tag:x", "nothing", `{}`)
	}
	f.Refuse(fault.Invalid, "and 10 more", batch...)
}

func TestBadProposalsAreRefused(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	with := func(change func(*catalog.Proposal)) catalog.Proposal {
		p := catalogtest.Proposal("urn:li:tag:x", "tagProperties", properties("a"))
		change(&p)
		return p
	}
	profile := `{"timestampMillis":1}`
	cases := []struct {
		name string
		p    catalog.Proposal
		kind fault.Kind
		text string
	}{
		{"no URN", with(func(p *catalog.Proposal) { p.URN = "" }), fault.Malformed, "entityUrn or entityKeyAspect is required"},
		{"a key without type", with(func(p *catalog.Proposal) { p.URN, p.Key = "", []byte(`{"name":"x"}`) }), fault.Malformed, "entityType"},
		{"a bad key", with(func(p *catalog.Proposal) { p.URN, p.EntityType, p.Key = "", "tag", []byte(`{}`) }), fault.Invalid, "tagKey"},
		{"no URN at all", with(func(p *catalog.Proposal) { p.URN = "x" }), fault.Malformed, "Invalid urn!: x"},
		{"an unknown type", with(func(p *catalog.Proposal) { p.URN = "urn:li:cow:x" }), fault.Malformed, "unknown entity type cow"},
		{"a control character", with(func(p *catalog.Proposal) { p.URN = "urn:li:tag:a\x01" }), fault.Malformed, "control character"},
		{"another type", with(func(p *catalog.Proposal) { p.EntityType = "dataset" }), fault.Malformed, "entityType dataset"},
		{"no aspect", with(func(p *catalog.Proposal) { p.Aspect = "" }), fault.Malformed, "aspectName is required"},
		{"an unknown change", with(func(p *catalog.Proposal) { p.Change = "MERGE" }), fault.Malformed, `changeType "MERGE"`},
		{"no value", with(func(p *catalog.Proposal) { p.Value = nil }), fault.Malformed, "aspect.value is required"},
		{"no JSON", with(func(p *catalog.Proposal) { p.Value = []byte(`{`) }), fault.Invalid, "not valid JSON"},
		{"a wrong type", with(func(p *catalog.Proposal) { p.Value = []byte(`{"name":1}`) }), fault.Invalid, "/name"},
		{"a value that is too long", with(func(p *catalog.Proposal) { p.Value = []byte(properties(strings.Repeat("x", proposal.MaxAspectBytes))) }), fault.Invalid, "at most 16000000"},
		{"a long run id", with(func(p *catalog.Proposal) { p.System.RunID = strings.Repeat("x", 1025) }), fault.Invalid, "runId"},
		{"a long pipeline", with(func(p *catalog.Proposal) { p.System.PipelineName = strings.Repeat("x", 1025) }), fault.Invalid, "longer than 1024"},
		{"a long property", with(func(p *catalog.Proposal) { p.System.Properties = map[string]string{"a": strings.Repeat("x", 70_000)} }), fault.Invalid, "properties"},
		{"many properties", with(func(p *catalog.Proposal) {
			p.System.Properties = map[string]string{}
			for i := range 201 {
				p.System.Properties[fmt.Sprint(i)] = ""
			}
		}), fault.Invalid, "more than 200"},
		{"a bad patch", with(func(p *catalog.Proposal) { p.Change, p.Value = model.Patch, []byte(`[{"op":"fly"}]`) }), fault.Malformed, "op must be"},
		{"a patch of an aspect without template", with(func(p *catalog.Proposal) { p.Aspect, p.Change, p.Value = "deprecation", model.Patch, []byte(`[]`) }), fault.Invalid, "arrayPrimaryKeys"},
		{"a time series created", catalogtest.Proposal(dataset, "datasetProfile", profile, model.Create), fault.Invalid, "must be UPSERT"},
		{"a time series patched", catalogtest.Proposal(dataset, "datasetProfile", `[]`, model.Patch), fault.Invalid, "must be UPSERT"},
		{"a time series deleted", catalogtest.Proposal(dataset, "datasetProfile", "", model.Delete), fault.Invalid, "must be UPSERT"},
		{"a reference to what is absent", catalogtest.Proposal("urn:li:structuredProperty:x", "propertyDefinition", `{"qualifiedName":"x","valueType":"urn:li:dataType:datahub.string","entityTypes":["urn:li:entityType:datahub.dataset"]}`), fault.Invalid, "must be the URN of an entity that exists"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { f.Refuse(c.kind, c.text, c.p) })
	}
}

func TestSystemFieldsOfTheStoreAreNotTakenFromWriters(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	p := catalogtest.Proposal("urn:li:tag:x", "status", `{}`)
	p.System = model.SystemMetadata{Version: "77", LastRunID: "x", AspectCreated: &model.AuditStamp{Time: 1}, LastObserved: 5, Properties: map[string]string{"appSource": "ui"}}
	f.Must(p)
	got := f.Record("urn:li:tag:x", "status").System
	if got.Version != "1" || got.LastRunID != model.DefaultRunID || got.AspectCreated.Time != day || got.LastObserved != 5 || got.Properties["appSource"] != "ui" {
		t.Errorf("got %+v", got)
	}
}

func TestWritingNothingIsNothing(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	if written := f.Must(); written != nil {
		t.Errorf("got %v", written)
	}
	if last, _ := f.Store.Last(); last != 0 {
		t.Errorf("the log has %d entries", last)
	}
}

func TestNobodyAndTheImpatient(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	f.RefuseAs(t.Context(), fault.Unauthenticated, "the request has no actor", catalogtest.Proposal("urn:li:tag:x", "status", `{}`))
	ctx, cancel := context.WithCancel(f.As(root))
	cancel()
	if _, err := f.Write(ctx, []catalog.Proposal{catalogtest.Proposal("urn:li:tag:x", "status", `{}`)}, catalog.WriteOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := f.ApplyRetention(auth.WithActor(ctx, auth.Actor{URN: root}), "", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// brokenSink is a projection that fails on every entry.
type brokenSink struct{}

func (brokenSink) Name() string                               { return "broken" }
func (brokenSink) Durable() bool                              { return false }
func (brokenSink) Apply(context.Context, []store.Entry) error { return errors.New("broken") }

func TestAFailingProjectionDoesNotFailAWrite(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	on.Sinks = append(on.Sinks, brokenSink{})
	f := catalogtest.New(t, on)
	f.Put("urn:li:tag:x", "status", `{"removed":true}`)
	f.WantValue("urn:li:tag:x", "status", `{"removed":true}`)
	if _, err := f.DeleteEntity(f.As(root), "urn:li:tag:x"); err != nil {
		t.Error(err)
	}
}

func TestValuesAreCanonical(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	f.Must(catalog.Proposal{URN: dataset, Aspect: "status", Value: json.RawMessage(" {\n \"removed\" : false } ")})
	if got := f.Value(dataset, "status"); got != `{"removed":false}` {
		t.Errorf("got %s", got)
	}
}

// A repeated deletion counts once only if nothing of the entity was written in between.
func TestAnEntityThatComesBackInABatchIsDeletedAgain(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(dataset, "status", `{}`)
		remove := catalogtest.Proposal(dataset, "", "", model.Delete)
		written := f.Must(remove, catalogtest.Proposal(dataset, "status", `{"removed":true}`), remove, remove)
		f.WantValue(dataset, "status", "")
		f.WantValue(dataset, "datasetKey", "")
		for _, i := range []int{0, 2, 3} {
			if written[i].Outcome != catalog.Removed {
				t.Errorf("item %d has the outcome %d", i, written[i].Outcome)
			}
		}
	})
}
