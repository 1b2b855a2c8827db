package catalog_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// versions returns the versions that History yields, and the error that ends it.
func versions(f *catalogtest.Fixture, ctx context.Context, u urn.URN, aspect string, limit int) (versions []string, err error) {
	for found, err := range f.History(ctx, u, aspect, limit) {
		if err != nil {
			return versions, err
		}
		versions = append(versions, found.System.Version)
	}
	return versions, nil
}

func TestHistoryYieldsWhatIsKept(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:a"
		change(f, tag, 23)
		for _, c := range []struct {
			u      urn.URN
			aspect string
			limit  int
			want   string
		}{
			{tag, "tagProperties", 3, "[21 22 23]"},
			{tag, "TAGPROPERTIES", 1, "[23]"},
			{tag, "tagProperties", 100, "[4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23]"},
			{tag, "status", 3, "[]"},
			{"urn:li:tag:absent", "tagProperties", 3, "[]"},
			{root, "corpUserCredentials", 3, "[]"},
		} {
			if got, err := versions(f, f.As(root), c.u, c.aspect, c.limit); err != nil || fmt.Sprint(got) != c.want {
				t.Errorf("%s of %s: got %v, %v; want %s", c.aspect, c.u, got, err, c.want)
			}
		}
	})
}

func TestHistoryStopsWhenAsked(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:a"
		change(f, tag, 3)
		for found, err := range f.History(f.As(root), tag, "tagProperties", 3) {
			if err != nil || found.System.Version != "1" {
				t.Errorf("the first is %s, %v", found.System.Version, err)
			}
			break
		}
	})
}

func TestHistoryRefuses(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		for _, c := range []struct {
			ctx    context.Context
			u      urn.URN
			aspect string
			kind   fault.Kind
		}{
			{f.As(root), "urn:li:tag:a", "schemaMetadata", fault.NotFound},
			{f.As(root), dataset, "datasetProfile", fault.NotFound},
			{f.As(root), "urn:li:nothing:a", "status", fault.Malformed},
			{t.Context(), "urn:li:tag:a", "status", fault.Unauthenticated},
		} {
			if _, err := versions(f, c.ctx, c.u, c.aspect, 3); fault.KindOf(err) != c.kind {
				t.Errorf("%s of %s: got %v, want %v", c.aspect, c.u, err, c.kind)
			}
		}
	})
}
