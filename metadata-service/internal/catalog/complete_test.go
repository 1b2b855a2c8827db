package catalog_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func TestCompleteAddsWhatComesWithEveryEntity(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const u, absent = urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,sales.orders,PROD)"), urn.URN("urn:li:dataset:(urn:li:dataPlatform:hive,none,PROD)")
		f.Put(u, "globalTags", `{"tags":[]}`)
		path := f.Value(u, "browsePathsV2")
		_, err := f.Store.Update(t.Context(), func(tx store.Tx) error {
			for _, name := range []string{"datasetKey", "browsePathsV2"} {
				if err := tx.Remove(t.Context(), store.Key{URN: u, Aspect: name}, 0); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if n, err := f.Complete(f.As("urn:li:corpuser:datahub"), []urn.URN{u, absent}); err != nil || n != 2 {
			t.Errorf("wrote %d aspects, %v, want 2", n, err)
		}
		f.WantValue(u, "browsePathsV2", path)
		f.Record(u, "datasetKey")
		if n, err := f.Complete(f.As("urn:li:corpuser:datahub"), []urn.URN{u, absent}); err != nil || n != 0 {
			t.Errorf("wrote %d aspects to what is complete, %v", n, err)
		}
		rows, err := f.Store.Aspects(t.Context(), []urn.URN{absent})
		if err != nil || len(rows[0]) != 0 {
			t.Errorf("an absent entity has %d aspects, %v", len(rows[0]), err)
		}
		if _, err := f.Complete(f.As("urn:li:corpuser:jo"), []urn.URN{u}); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("without the privilege: %v, want a refusal", err)
		}
	})
}
