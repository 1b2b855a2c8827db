package catalog_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/authtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ofDomain is an authorizer that permits jo to write entities in the sales domain, and to propose
// that domain. It stands in for policies over domains.
type ofDomain struct {
	authtest.Plain
	rows store.Reader
	// decided is called after each decision, before the write.
	decided func()
	asked   *atomic.Int32
}

const sales urn.URN = "urn:li:domain:sales"

func (ofDomain) Deciding() []string { return []string{"domains"} }

func (a ofDomain) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	actor, _ := auth.ActorFrom(ctx)
	if actor.URN != jo {
		return a.Plain.Decide(ctx, checks)
	}
	a.asked.Add(1)
	decisions := make([]auth.Decision, len(checks))
	for i, c := range checks {
		domains := c.Domains
		records, err := a.rows.Get(ctx, store.Key{URN: c.Entities[0], Aspect: "domains"})
		if err != nil {
			return nil, err
		}
		if records[0] != nil {
			value, err := jsontree.DecodeObject(records[0].Value)
			if err != nil {
				return nil, err
			}
			domains = nil
			for _, d := range jsontree.Texts(value, "domains") {
				domains = append(domains, urn.URN(d))
			}
		}
		if slices.Contains(domains, sales) {
			decisions[i] = auth.Allow(actor.URN, c, auth.EditEntity, nil)
		} else {
			decisions[i] = auth.Refuse(actor.URN, c, fault.New(fault.Forbidden, "not of the sales"))
		}
	}
	a.decided()
	return decisions, nil
}

func newDomainFixture(t *testing.T) (*catalogtest.Fixture, *ofDomain) {
	on := catalogtest.OnDisk(t)
	rule := &ofDomain{rows: on.Store, decided: func() {}, asked: &atomic.Int32{}}
	on.Authorizer = rule
	f := catalogtest.New(t, on)
	f.Put(sales, "domainProperties", `{"name":"Sales"}`)
	f.Put("urn:li:domain:other", "domainProperties", `{"name":"Other"}`)
	return f, rule
}

// If an asset leaves the domain between the decision and the transaction, the decision is repeated
// and refuses the write.
func TestADecisionIsMadeAgainWhenWhatItDependsOnChanges(t *testing.T) {
	t.Parallel()
	f, rule := newDomainFixture(t)
	f.Put(dataset, "domains", `{"domains":["urn:li:domain:sales"]}`)
	write := []catalog.Proposal{catalogtest.Proposal(dataset, "status", `{"removed":true}`)}
	rule.decided = func() {
		rule.decided = func() {}
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:other"]}`)
	}
	_, err := f.Write(f.As(jo), write, catalog.WriteOptions{})
	catalogtest.WantFault(t, err, fault.Forbidden, "not of the sales")
	if n := rule.asked.Load(); n != 2 {
		t.Errorf("it was decided %d times", n)
	}
	f.WantValue(dataset, "status", "")
}

// The decision about a column depends on the domains of its dataset.
func TestADecisionAboutAColumnIsMadeAgainWhenItsDatasetMoves(t *testing.T) {
	onPolicies(t, func(t *testing.T, f *catalogtest.Fixture) {
		grant(f, "p", `"EDIT_ENTITY"`, is("DOMAIN", sales), "")
		f.Put(dataset, "domains", `{"domains":["urn:li:domain:sales"]}`)
		column := urn.Make("schemaField", dataset, "id")
		plain, moved := f.Authorizer, false
		f.Authorizer = movedBehind{plain, func() {
			if !moved {
				moved = true
				f.Put(dataset, "domains", `{"domains":["urn:li:domain:other"]}`)
			}
		}}
		_, err := f.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(column, "status", `{"removed":true}`)}, catalog.WriteOptions{})
		if fault.KindOf(err) != fault.Forbidden {
			t.Errorf("got %v", err)
		}
	})
}

// movedBehind calls a function after each decision.
type movedBehind struct {
	catalog.Authorizer
	behind func()
}

func (a movedBehind) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	decisions, err := a.Authorizer.Decide(ctx, checks)
	a.behind()
	return decisions, err
}

func TestAStateThatStaysIsDecidedOnce(t *testing.T) {
	t.Parallel()
	f, rule := newDomainFixture(t)
	f.Put(dataset, "domains", `{"domains":["urn:li:domain:sales"]}`)
	f.MustAs(jo, catalogtest.Proposal(dataset, "status", `{"removed":true}`))
	if n := rule.asked.Load(); n != 1 {
		t.Errorf("it was decided %d times", n)
	}
}

func TestDomainsThatABatchProposesCountForNewEntities(t *testing.T) {
	t.Parallel()
	f, _ := newDomainFixture(t)
	batch := func(domain urn.URN) []catalog.Proposal {
		return []catalog.Proposal{
			catalogtest.Proposal(dataset, "datasetProperties", `{"name":"orders"}`),
			catalogtest.Proposal(dataset, "domains", `{"domains":["`+string(domain)+`"]}`),
		}
	}
	f.RefuseAs(f.As(jo), fault.Forbidden, "not of the sales", batch("urn:li:domain:other")...)
	if _, err := f.Write(f.As(jo), batch(sales), catalog.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
}

// creating is an authorizer that permits jo to create entities, and not to change any.
type creating struct {
	authtest.Plain
	decided *func() // called after each decision about jo
}

func (a creating) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	actor, _ := auth.ActorFrom(ctx)
	if actor.URN != jo {
		return a.Plain.Decide(ctx, checks)
	}
	decisions := make([]auth.Decision, len(checks))
	for i, c := range checks {
		if decisions[i] = auth.Allow(actor.URN, c, auth.EditEntity, nil); c.Operation != auth.OpCreate {
			decisions[i] = auth.Refuse(actor.URN, c, fault.New(fault.Forbidden, "exists already"))
		}
	}
	(*a.decided)()
	return decisions, nil
}

// If another actor creates the entity between the decision and the transaction, an actor that may
// only create entities does not change it.
func TestWhatWasDecidedAsACreationChangesNothing(t *testing.T) {
	t.Parallel()
	on := catalogtest.OnDisk(t)
	decided := func() {}
	on.Authorizer = creating{decided: &decided}
	f := catalogtest.New(t, on)
	decided = func() {
		decided = func() {}
		f.Put(dataset, "status", `{"removed":false}`)
	}
	_, err := f.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(dataset, "status", `{"removed":true}`)}, catalog.WriteOptions{})
	catalogtest.WantFault(t, err, fault.Forbidden, "exists already")
	f.WantValue(dataset, "status", `{"removed":false}`)
	f.MustAs(jo, catalogtest.Proposal(catalogtest.Table("new"), "status", `{"removed":true}`))
}

// ofNothing is an authorizer that names no deciding aspects.
type ofNothing struct{ *ofDomain }

func (ofNothing) Deciding() []string { return nil }

// A decision about an entity that is deleted before the write is repeated, because the write would
// create the entity.
func TestAnEntityThatIsDeletedMeanwhileIsNotWrittenByTheOldDecision(t *testing.T) {
	t.Parallel()
	on := catalogtest.OnDisk(t)
	rule := &ofDomain{rows: on.Store, decided: func() {}, asked: &atomic.Int32{}}
	on.Authorizer = ofNothing{rule}
	f := catalogtest.New(t, on)
	f.Put(sales, "domainProperties", `{"name":"Sales"}`)
	f.Put(dataset, "domains", `{"domains":["`+string(sales)+`"]}`)
	gone := false
	rule.decided = func() {
		if !gone {
			gone = true
			f.Must(catalog.Proposal{URN: string(dataset), Change: model.Delete})
		}
	}
	_, err := f.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(dataset, "datasetProperties", `{"name":"x"}`)}, catalog.WriteOptions{})
	catalogtest.WantFault(t, err, fault.Forbidden, "not of the sales")
	if got := rule.asked.Load(); got != 2 {
		t.Errorf("decided %d times, want twice", got)
	}
	if f.Record(dataset, "datasetProperties") != nil || f.Record(dataset, "datasetKey") != nil {
		t.Error("the dataset is there again")
	}
}

// A write that the service makes some time after it has read an entity does not create the entity
// again.
func TestAProposalForAnExistingEntityCreatesNone(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		results := catalogtest.Proposal(dataset, "testResults", `{"passing":[],"failing":[{"test":"urn:li:test:x","type":"FAILURE"}]}`)
		results.Existing = true
		named := catalogtest.Proposal(catalogtest.Table("other"), "datasetProperties", `{"name":"x"}`)
		written, err := f.Write(f.As(model.RootUser), []catalog.Proposal{results, named}, catalog.WriteOptions{})
		if err != nil || written[0].Outcome != catalog.Dropped || written[1].Outcome != catalog.Inserted {
			t.Fatalf("%v, %v", written, err)
		}
		if f.Record(dataset, "testResults") != nil || f.Record(dataset, "datasetKey") != nil {
			t.Error("the dataset is there")
		}
		f.Put(dataset, "status", `{"removed":false}`)
		f.Must(results)
		if f.Record(dataset, "testResults") == nil {
			t.Error("the results of a dataset that is there are dropped")
		}
	})
}
