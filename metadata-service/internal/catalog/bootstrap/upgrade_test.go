package bootstrap_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

const aliasMark = "urn:li:dataHubUpgrade:dataset-alias-lower-name"

// oldAlias writes the alias that earlier versions gave a dataset.
func oldAlias(f *catalogtest.Fixture, u urn.URN) {
	f.Put(u, "aliases", fmt.Sprintf(`{"lowercasedUrn":%q}`, strings.ToLower(string(u))))
}

// aliased returns the number of datasets with an alias in the search index.
func aliased(f *catalogtest.Fixture, lowered string) int {
	return f.Found(search.Filter{{{Field: "lowercasedUrn", Values: []string{lowered}}}})
}

func upgrade(f *catalogtest.Fixture) {
	f.T.Helper()
	if err := f.Boot.Upgrade(f.T.Context()); err != nil {
		f.T.Fatal(err)
	}
}

func TestAliasesThatAreLowerAsAWholeAreMended(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		capital, lower, own := catalogtest.Table("Sales.Orders"), catalogtest.Table("sales.items"), catalogtest.Table("Sales.Own")
		oldAlias(f, capital)
		oldAlias(f, lower)
		f.Put(own, "aliases", `{"lowercasedUrn":"urn:li:dataset:mine"}`)
		f.Put(catalogtest.Table("plain"), "status", `{}`)
		upgrade(f)
		f.WantValue(capital, "aliases", fmt.Sprintf(`{"lowercasedUrn":%q}`, catalogtest.Table("sales.orders")))
		f.WantValue(lower, "aliases", "")
		f.WantValue(own, "aliases", `{"lowercasedUrn":"urn:li:dataset:mine"}`)
		f.WantValue(catalogtest.Table("plain"), "aliases", "")
		if n := aliased(f, string(catalogtest.Table("sales.orders"))); n != 1 {
			t.Errorf("the mended alias finds %d", n)
		}
		for _, u := range []urn.URN{capital, lower} {
			if n := aliased(f, strings.ToLower(string(u))); n != 0 {
				t.Errorf("the alias that was wrong finds %d", n)
			}
		}
		if got := f.Member(aliasMark, "dataHubUpgradeResult", "state"); got != `"SUCCEEDED"` {
			t.Errorf("the mark says %s", got)
		}
		// The upgrade is not repeated: a later value in the old form is intended.
		oldAlias(f, capital)
		upgrade(f)
		f.WantValue(capital, "aliases", fmt.Sprintf(`{"lowercasedUrn":%q}`, strings.ToLower(string(capital))))
	})
}

// interrupted is a store with failing updates that records where scans of datasets start.
type interrupted struct {
	store.Store
	failing *atomic.Bool
	scanned *[]urn.URN
}

func (s interrupted) Update(ctx context.Context, fn func(store.Tx) error) (store.Commit, error) {
	return s.Store.Update(ctx, func(tx store.Tx) error {
		if err := fn(tx); err != nil {
			return err
		}
		mark, err := store.Latest(ctx, tx, store.Key{URN: aliasMark, Aspect: "dataHubUpgradeResult"})
		if s.failing.Load() && err == nil && mark != nil && mark.System.Version == "2" {
			return errors.New("the power is gone")
		}
		return err
	})
}

func (s interrupted) Scan(ctx context.Context, q store.Scan) ([]urn.URN, error) {
	if q.Type == "dataset" {
		*s.scanned = append(*s.scanned, q.After)
	}
	return s.Store.Scan(ctx, q)
}

func TestAnInterruptedUpgradeGoesOn(t *testing.T) {
	t.Parallel()
	on := catalogtest.InMemory()
	failing, scanned := &atomic.Bool{}, []urn.URN{}
	on.Store = interrupted{on.Store, failing, &scanned}
	f := catalogtest.New(t, on)
	name := func(i int) string { return fmt.Sprintf("T%04d", i) }
	const tables = 1100
	var batch []catalog.Proposal
	for i := range tables {
		batch = append(batch, catalogtest.Proposal(catalogtest.Table(name(i)), "aliases", fmt.Sprintf(`{"lowercasedUrn":%q}`, strings.ToLower(string(catalogtest.Table(name(i)))))))
	}
	f.Must(batch...)
	failing.Store(true)
	if err := f.Boot.Upgrade(t.Context()); err == nil || !strings.Contains(err.Error(), "the power is gone") {
		t.Fatalf("got %v", err)
	}
	right := func(i int) bool {
		return f.Value(catalogtest.Table(name(i)), "aliases") == fmt.Sprintf(`{"lowercasedUrn":%q}`, catalogtest.Table(strings.ToLower(name(i))))
	}
	if !right(0) || !right(499) || right(500) {
		t.Errorf("after the interruption the first, the 500th and the 501st are mended: %t, %t, %t", right(0), right(499), right(500))
	}
	failing.Store(false)
	scanned = scanned[:0]
	upgrade(f)
	for i := range tables {
		if !right(i) {
			t.Fatalf("%s is not mended", name(i))
		}
	}
	if len(scanned) != 3 || scanned[0] != catalogtest.Table(name(499)) {
		t.Errorf("the datasets are scanned from %v on, want from behind %s", scanned, name(499))
	}
	scanned = scanned[:0]
	if upgrade(f); len(scanned) != 0 {
		t.Errorf("an upgrade that is done scans from %v", scanned)
	}
}

// Earlier versions stored properties only if all elements of the aspect had some.
func TestEdgesThatLackTheirPropertiesAreMended(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Put(catalogtest.Table("new"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(catalogtest.Table("ingested"))+`","type":"COPY"},
			{"dataset":"`+string(catalogtest.Table("drawn"))+`","type":"COPY","properties":{"source":"UI"}}]}`)
		key := store.Key{URN: catalogtest.Table("new"), Aspect: "upstreamLineage"}
		before, err := f.Graph.OwnedEdges(t.Context(), key)
		if err != nil || len(before) != 2 || !before[1].Manual() {
			t.Fatalf("the edges are %v, %v", before, err)
		}
		old := slices.Clone(before)
		old[1].Properties = nil
		if _, err := f.Store.Update(t.Context(), func(tx store.Tx) error { return tx.PutEdges(t.Context(), key, old) }); err != nil {
			t.Fatal(err)
		}
		upgrade(f)
		after, err := f.Graph.OwnedEdges(t.Context(), key)
		if err != nil || len(after) != 2 || after[0].Manual() || !after[1].Manual() || after[1].Created != before[1].Created {
			t.Errorf("the edges are %v, %v", after, err)
		}
		if got := f.Member("urn:li:dataHubUpgrade:edge-properties", "dataHubUpgradeResult", "state"); got != `"SUCCEEDED"` {
			t.Errorf("the mark says %s", got)
		}
	})
}

// Earlier versions derived edges between columns of other datasets.
func TestEdgesOfForeignColumnsAreDropped(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		column := func(table string) urn.URN { return urn.Make("schemaField", string(catalogtest.Table(table)), "c") }
		fine := func(to string) string {
			return fmt.Sprintf(`{"upstreamType":"FIELD_SET","upstreams":[%q],"downstreamType":"FIELD","downstreams":[%q]}`, column("from"), column(to))
		}
		f.Put(catalogtest.Table("own"), "upstreamLineage", `{"upstreams":[{"dataset":"`+string(catalogtest.Table("from"))+`","type":"COPY"}],"fineGrainedLineages":[`+fine("own")+`,`+fine("foreign")+`]}`)
		key := store.Key{URN: catalogtest.Table("own"), Aspect: "upstreamLineage"}
		want, err := f.Graph.OwnedEdges(t.Context(), key)
		if err != nil || len(want) != 3 {
			t.Fatalf("the edges are %v, %v", want, err)
		}
		foreign := want[len(want)-1]
		foreign.Source, foreign.Destination, foreign.Owner, foreign.Type = column("foreign"), column("from"), key.URN, "DownstreamOf"
		if _, err := f.Store.Update(t.Context(), func(tx store.Tx) error { return tx.PutEdges(t.Context(), key, append(slices.Clone(want), foreign)) }); err != nil {
			t.Fatal(err)
		}
		if before, err := f.Graph.OwnedEdges(t.Context(), key); err != nil || len(before) != 4 {
			t.Fatalf("with a foreign one the edges are %v, %v", before, err)
		}
		upgrade(f)
		if after, err := f.Graph.OwnedEdges(t.Context(), key); err != nil || !reflect.DeepEqual(after, want) {
			t.Errorf("the edges are %v, %v, want %v", after, err, want)
		}
	})
}

// A new catalog cannot contain values stored by earlier versions.
func TestANewCatalogHasNothingToUpgrade(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		if err := f.Boot.DefaultData(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, mark := range []urn.URN{aliasMark, "urn:li:dataHubUpgrade:edge-properties", "urn:li:dataHubUpgrade:foreign-column-edges"} {
			if got := f.Member(mark, "dataHubUpgradeResult", "state"); got != `"SUCCEEDED"` {
				t.Errorf("%s says %s", mark, got)
			}
		}
		before, _ := f.Store.Last()
		upgrade(f)
		if after, _ := f.Store.Last(); after != before {
			t.Errorf("the upgrades of a new catalog wrote %d entries", after-before)
		}
	})
}

func TestACatalogOfAnEarlierVersionIsNotTakenForANewOne(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		capital := catalogtest.Table("Sales.Orders")
		oldAlias(f, capital)
		if err := f.Boot.DefaultData(t.Context()); err != nil {
			t.Fatal(err)
		}
		upgrade(f)
		f.WantValue(capital, "aliases", fmt.Sprintf(`{"lowercasedUrn":%q}`, catalogtest.Table("sales.orders")))
	})
}
