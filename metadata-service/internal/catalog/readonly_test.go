package catalog_test

import (
	"path/filepath"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Two services on one store stand in for two replicas.
func TestReadOnlyModeHoldsForAllReplicasAtOnce(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		other := *f
		other.Service = catalog.New(f.Config)
		f.Put(tagURN("a"), "status", `{}`)
		for range 2 { // switching it on again has no effect
			if err := f.SetWritable(f.As(root), false); err != nil {
				t.Fatal(err)
			}
		}
		for _, replica := range []*catalogtest.Fixture{f, &other} {
			replica.Refuse(fault.Unavailable, "read-only", catalogtest.Proposal(tagURN("a"), "status", `{"removed":true}`))
		}
		restarted := *f
		restarted.Service = catalog.New(f.Config)
		restarted.Refuse(fault.Unavailable, "try again later", catalogtest.Proposal(tagURN("a"), "status", `{"removed":true}`))
		if err := other.SetWritable(f.As(root), true); err != nil {
			t.Fatal(err)
		}
		f.Put(tagURN("a"), "status", `{"removed":true}`)
	})
}

func TestRevocationsGoOnInReadOnlyMode(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		m := withSecrets(f)
		if err := f.SetWritable(f.As(root), false); err != nil {
			t.Fatal(err)
		}
		catalogtest.WantFault(t, m.Write(f.As(jo), []catalog.Proposal{catalogtest.Proposal(token, "dataHubAccessTokenInfo", tokenValue)}), fault.Unavailable, "read-only")
		if err := m.Revoke(f.As(root), token); err != nil {
			t.Fatal(err)
		}
		f.WantValue(token, "dataHubAccessTokenInfo", "")
	})
}

// A dry run changes nothing, so read-only mode does not affect it.
func TestADryRunGoesOnInReadOnlyMode(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Must(catalogtest.InRun("r1", catalogtest.Proposal(tagURN("a"), "status", `{}`)))
		if err := f.SetWritable(f.As(root), false); err != nil {
			t.Fatal(err)
		}
		if out := f.Rollback("r1", run.Options{DryRun: true, Hard: true}); out.EntitiesDeleted != 1 {
			t.Errorf("foretold %+v", out)
		}
		_, err := f.Runs.Rollback(f.As(root), "r1", run.Options{})
		catalogtest.WantFault(t, err, fault.Unavailable, "read-only")
		_, err = f.DeleteReferences(f.As(root), tagURN("x"), true)
		if err != nil {
			t.Errorf("references: %v", err)
		}
	})
}

func TestReadOnlyModeOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "catalog.db")
	restart := func(story func(f *catalogtest.Fixture)) {
		t.Helper()
		t.Run("process", func(t *testing.T) {
			rows, err := bolt.Open(t.Context(), file, bolt.Config{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := rows.Close(); err != nil {
					t.Error(err)
				}
			})
			drivers := catalogtest.InMemory()
			drivers.Store = rows
			story(catalogtest.New(t, drivers))
		})
	}
	write := catalogtest.Proposal(tagURN("a"), "status", `{"removed":true}`)
	restart(func(f *catalogtest.Fixture) {
		f.Put(tagURN("a"), "status", `{}`)
		if err := f.SetWritable(f.As(root), false); err != nil {
			f.T.Fatal(err)
		}
	})
	restart(func(f *catalogtest.Fixture) {
		f.Refuse(fault.Unavailable, "read-only", write)
		f.WantValue(tagURN("a"), "status", `{}`)
		_, err := f.Write(f.As("urn:li:corpuser:jo"), []catalog.Proposal{write}, catalog.WriteOptions{Upgrade: true})
		catalogtest.WantFault(f.T, err, fault.Unavailable, "read-only")
		if err := f.SetWritable(f.As(root), true); err != nil {
			f.T.Fatal(err)
		}
	})
	restart(func(f *catalogtest.Fixture) { f.Must(write) })
}

func TestOnlyWhoMayDoSoSwitchesTheMode(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		catalogtest.WantFault(t, f.SetWritable(f.As(jo), false), fault.Forbidden, "SET_WRITEABLE")
		catalogtest.WantFault(t, f.SetWritable(t.Context(), false), fault.Unauthenticated, "")
		f.Put(tagURN("a"), "status", `{}`)
	})
}
