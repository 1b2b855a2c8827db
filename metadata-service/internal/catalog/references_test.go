package catalog_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/rule"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// takeOut deletes the references to an entity as the administrator.
func takeOut(f *catalogtest.Fixture, u urn.URN, dryRun bool) catalog.References {
	f.T.Helper()
	found, err := f.DeleteReferences(f.As(root), u, dryRun)
	if err != nil {
		f.T.Fatal(err)
	}
	return found
}

func TestReferencesAreTakenOutAsFarAsAspectsCanDoWithout(t *testing.T) {
	const gone, stays = "urn:li:dataset:(urn:li:dataPlatform:hive,gone,PROD)", "urn:li:dataset:(urn:li:dataPlatform:hive,stays,PROD)"
	const stamp = `{"time":1,"actor":"urn:li:corpuser:jo"}`
	for name, c := range map[string]struct {
		of                  urn.URN
		aspect, value, left string
		target              urn.URN
		relationship        string
	}{
		"an element of a list goes": {
			dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"},{"tag":"urn:li:tag:stays"}]}`,
			`{"tags":[{"tag":"urn:li:tag:stays"}]}`, "urn:li:tag:gone", "TaggedWith",
		},
		"the last element leaves an empty list": {
			dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"}]}`, `{"tags":[]}`, "urn:li:tag:gone", "TaggedWith",
		},
		"an upstream goes": {
			dataset, "upstreamLineage", `{"upstreams":[{"dataset":"` + gone + `","type":"COPY"},{"dataset":"` + stays + `","type":"COPY"}]}`,
			`{"upstreams":[{"dataset":"` + stays + `","type":"COPY"}]}`, gone, "DownstreamOf",
		},
		"an optional member goes": {
			"urn:li:domain:below", "domainProperties", `{"name":"below","parentDomain":"urn:li:domain:gone"}`,
			`{"name":"below"}`, "urn:li:domain:gone", "IsPartOf",
		},
		"an aspect that cannot do without goes as a whole": {
			dataset, "container", `{"container":"urn:li:container:gone"}`, "", "urn:li:container:gone", "IsPartOf",
		},
		"what the entity is no part of stays": {
			dataset, "glossaryTerms", `{"terms":[{"urn":"urn:li:glossaryTerm:gone"},{"urn":"urn:li:glossaryTerm:gone.not"}],"auditStamp":` + stamp + `}`,
			`{"terms":[{"urn":"urn:li:glossaryTerm:gone.not"}],"auditStamp":` + stamp + `}`, "urn:li:glossaryTerm:gone", "TermedWith",
		},
	} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
				f.Put("urn:li:domain:gone", "domainProperties", `{"name":"gone"}`)
				f.Put(c.of, c.aspect, c.value)
				found := takeOut(f, c.target, false)
				want := catalog.RelatedAspect{URN: c.of, Aspect: c.aspect, Relationship: c.relationship}
				if found.Total != 1 || !slices.Equal(found.Related, []catalog.RelatedAspect{want}) {
					t.Errorf("got %+v, want %+v", found, want)
				}
				f.WantValue(c.of, c.aspect, c.left)
				if again := takeOut(f, c.target, false); again.Total != 0 || again.Related != nil {
					t.Errorf("again: %+v", again)
				}
			})
		})
	}
}

// A duplicate reference counts as one reference and one change.
func TestAReferenceThatIsSaidTwiceIsToldOnce(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(dataset, "ownership", `{"owners":[{"owner":"urn:li:corpuser:gone","type":"DATAOWNER"},{"owner":"urn:li:corpuser:gone","type":"DEVELOPER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
		before := f.Record(dataset, "ownership").System.Version
		if found := takeOut(f, "urn:li:corpuser:gone", false); found.Total != 1 || len(found.Related) != 1 {
			t.Errorf("got %+v", found)
		}
		f.WantValue(dataset, "ownership", `{"owners":[],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
		if after := f.Record(dataset, "ownership").System.Version; before != "1" || after != "2" {
			t.Errorf("version %s became %s: want one change", before, after)
		}
	})
}

func TestADryRunTellsReferencesAndLeavesThem(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const value = `{"tags":[{"tag":"urn:li:tag:gone"}]}`
		f.Must(catalogtest.Proposal(dataset, "globalTags", value), catalogtest.Proposal(chart, "globalTags", value))
		last, _ := f.Store.Last()
		dry := takeOut(f, tagURN("gone"), true)
		if after, _ := f.Store.Last(); after != last {
			t.Error("a dry run wrote")
		}
		f.WantValue(dataset, "globalTags", value)
		done := takeOut(f, tagURN("gone"), false)
		if dry.Total != 2 || done.Total != dry.Total || !slices.Equal(dry.Related, done.Related) {
			t.Errorf("foretold %+v, was %+v", dry, done)
		}
		f.WantValue(chart, "globalTags", `{"tags":[]}`)
	})
}

// References are removed whether or not the entity exists, and the entity itself remains.
func TestReferencesGoWhetherTheEntityExistsOrNot(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(tagURN("here"), "tagProperties", `{"name":"here"}`)
		f.Put(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:here"},{"tag":"urn:li:tag:never"}]}`)
		takeOut(f, tagURN("never"), false)
		takeOut(f, tagURN("here"), false)
		f.WantValue(dataset, "globalTags", `{"tags":[]}`)
		f.WantValue(tagURN("here"), "tagProperties", `{"name":"here"}`)
		if found := takeOut(f, tagURN("nobody-names"), false); found.Total != 0 {
			t.Errorf("got %+v", found)
		}
	})
}

// The removal of a reference belongs to the run that wrote the aspect, so that a rollback of the
// run also rolls back the changed aspect.
func TestAnAspectWithoutItsReferenceStaysOneOfItsRun(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(dataset, "status", `{}`)
		f.Must(catalogtest.InRun("r", catalogtest.Proposal(dataset, "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"}]}`)))
		takeOut(f, tagURN("gone"), false)
		if run := f.Record(dataset, "globalTags").System.RunID; run != "r" {
			t.Errorf("the aspect is of the run %q", run)
		}
		f.Rollback("r", rollbackHard)
		f.WantValue(dataset, "globalTags", "")
	})
}

// References in aspects of services are neither reported nor changed.
func TestReferencesOfSecretAndManagedAspectsStay(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		withSecrets(f)
		f.Put(dataset, "ownership", `{"owners":[{"owner":"urn:li:corpuser:jo","type":"DATAOWNER"}],"lastModified":{"time":1,"actor":"urn:li:corpuser:x"}}`)
		found := takeOut(f, jo, false)
		for _, r := range found.Related {
			if r.URN == token {
				t.Errorf("tells of %+v", r)
			}
		}
		if found.Total != 1 {
			t.Errorf("got %+v, want the ownership alone", found)
		}
		f.WantValue(token, "dataHubAccessTokenInfo", tokenValue)
	})
}

func TestManyReferencesAreSeveralTransactions(t *testing.T) {
	t.Parallel()
	drivers := catalogtest.OnDisk(t)
	sizes := &putSizes{Store: drivers.Store}
	drivers.Store = sizes
	f := catalogtest.New(t, drivers)
	const tables = 450
	batch := make([]catalog.Proposal, tables)
	for i := range batch {
		batch[i] = catalogtest.Proposal(benchURN(i), "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"}]}`)
	}
	f.Must(batch...)
	sizes.put = nil
	if found := takeOut(f, tagURN("gone"), false); found.Total != tables || len(found.Related) != tables {
		t.Errorf("found %d, listed %d", found.Total, len(found.Related))
	}
	if want := []int{200, 200, 50}; !slices.Equal(sizes.put, want) {
		t.Errorf("transactions changed %v aspects, want %v", sizes.put, want)
	}
	for _, i := range []int{0, 199, 200, 449} {
		f.WantValue(benchURN(i), "globalTags", `{"tags":[]}`)
	}
}

// putSizes records the number of latest rows written by each transaction that wrote any.
type putSizes struct {
	store.Store
	put []int
}

func (s *putSizes) Unwrap() store.Store { return s.Store }

func (s *putSizes) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	rows := map[store.Key]bool{}
	done, err := s.Store.Update(ctx, func(tx store.Tx) error {
		clear(rows)
		return fn(puttingTx{tx, rows})
	})
	if len(rows) > 0 {
		s.put = append(s.put, len(rows))
	}
	return done, err
}

type puttingTx struct {
	store.Tx
	rows map[store.Key]bool
}

func (t puttingTx) Put(ctx context.Context, rec model.Record) error {
	t.rows[rec.Key()] = true
	return t.Tx.Put(ctx, rec)
}

// Beyond a limit, references are counted and removed, but not listed.
func TestOfManyReferencesTheFirstAreListed(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const tables = 1100
	batch := make([]catalog.Proposal, tables)
	for i := range batch {
		batch[i] = catalogtest.Proposal(benchURN(i), "globalTags", `{"tags":[{"tag":"urn:li:tag:gone"}]}`)
	}
	f.Must(batch...)
	if found := takeOut(f, tagURN("gone"), false); found.Total != tables || len(found.Related) != 1000 {
		t.Errorf("found %d, listed %d", found.Total, len(found.Related))
	}
	if left := takeOut(f, tagURN("gone"), true); left.Total != 0 {
		t.Errorf("%d are left", left.Total)
	}
}

func TestReferencesAreNotTakenOutForEverybody(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const value = `{"tags":[{"tag":"urn:li:tag:gone"}]}`
		f.Put(dataset, "globalTags", value)
		for name, c := range map[string]struct {
			ctx  context.Context
			of   urn.URN
			kind fault.Kind
		}{
			"nobody":                   {t.Context(), tagURN("gone"), fault.Unauthenticated},
			"who may not delete":       {f.As(jo), "urn:li:dataHubPolicy:gone", fault.Forbidden},
			"an unknown type":          {f.As(root), "urn:li:cow:gone", fault.Malformed},
			"what a service keeps":     {f.As(root), token, fault.Forbidden},
			"what is no URN":           {f.As(root), "gone", fault.Malformed},
			"a URN that lacks its key": {f.As(root), "urn:li:tag:", fault.Malformed},
		} {
			for _, dry := range []bool{true, false} {
				_, err := f.DeleteReferences(c.ctx, c.of, dry)
				if fault.KindOf(err) != c.kind {
					t.Errorf("%s, dry run %v: got %v (%v), want %v", name, dry, fault.KindOf(err), err, c.kind)
				}
			}
		}
		if err := f.SetWritable(f.As(root), false); err != nil {
			t.Fatal(err)
		}
		_, err := f.DeleteReferences(f.As(root), tagURN("gone"), false)
		catalogtest.WantFault(t, err, fault.Unavailable, "read-only")
		f.WantValue(dataset, "globalTags", value)
	})
}

// Rules apply to removed references as to any other removal. A refusal rolls the whole transaction
// back.
func TestAReferenceThatMustStayRefusesTheTransaction(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f = withRules(f, rule.Rule{
			Name: "what lies in a container stays in it", Aspects: []string{"container"},
			AllowRemoval: func(rule.Tx, *rule.Change) error { return errStopped },
		})
		const value = `{"container":"urn:li:container:gone"}`
		f.Must(catalogtest.Proposal(dataset, "container", value), catalogtest.Proposal("urn:li:container:below", "container", value))
		if _, err := f.DeleteReferences(f.As(root), "urn:li:container:gone", false); !errors.Is(err, errStopped) {
			t.Errorf("got %v", err)
		}
		f.WantValue(dataset, "container", value)
		f.WantValue("urn:li:container:below", "container", value)
	})
}
