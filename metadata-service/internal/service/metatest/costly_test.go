package metatest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// costlyDefinitions would take gigabytes or minutes to compile or decode completely.
func costlyDefinitions() map[string]string {
	values := strings.TrimSuffix(strings.Repeat(`"`+strings.Repeat("(.{1,1000})", 88)+`",`, 400), ",")
	var keys strings.Builder
	for i := range 90_000 {
		fmt.Fprintf(&keys, "k%d: 1\n", i)
	}
	return map[string]string{
		"regular expressions": `{"on":{"types":["dataset"]},"rules":{"property":"urn","operator":"regex","values":[` + values + `]}}`,
		"keys of YAML":        keys.String(),
		"equal keys of YAML":  strings.Repeat("on: 1\n", 90_000),
	}
}

// TestCostlyDefinitionsAreRefusedByEveryDoor passes definitions to every function that reads one,
// as a user without the privilege to manage tests and as one with it.
func TestCostlyDefinitionsAreRefusedByEveryDoor(t *testing.T) {
	f := newFixture(t)
	draft := f.create("draft", "")
	const ingested urn.URN = "urn:li:test:ingested"
	write := func(ctx context.Context, u urn.URN, change model.ChangeType, value any) error {
		text, err := json.Marshal(value)
		if err != nil {
			f.Fatal(err)
		}
		_, err = f.Catalog.Write(ctx, []catalog.Proposal{{URN: string(u), Aspect: "testInfo", Change: change, Value: text}}, catalog.WriteOptions{})
		return err
	}
	doors := map[string]func(ctx context.Context, definition string) error{
		"create": func(ctx context.Context, definition string) error {
			_, err := f.tests.Create(ctx, "", metatest.Info{Name: "n", Category: "c", Definition: definition})
			return err
		},
		"update": func(ctx context.Context, definition string) error {
			return f.tests.Update(ctx, draft, metatest.Info{Name: "n", Category: "c", Definition: definition})
		},
		"preview": func(ctx context.Context, definition string) error {
			_, err := f.tests.Preview(ctx, definition, 0, true)
			return err
		},
		"conflicts": func(ctx context.Context, definition string) error {
			_, err := f.tests.Conflicts(ctx, definition, draft)
			return err
		},
		"ingestion": func(ctx context.Context, definition string) error {
			return write(ctx, ingested, model.Upsert, jsontree.Object{"name": "n", "category": "c", "definition": jsontree.Object{"type": "JSON", "json": definition}})
		},
		"a patch": func(ctx context.Context, definition string) error {
			return write(ctx, draft, model.Patch, jsontree.Object{"forceGenericPatch": true, "patch": []any{
				jsontree.Object{"op": "add", "path": "/definition/json", "value": definition},
			}})
		},
	}
	for name, definition := range costlyDefinitions() {
		for door, open := range doors {
			if err := open(f.As(f.T, servicetest.Jo), definition); fault.KindOf(err) != fault.Forbidden {
				f.Errorf("%s by %s without a right: %.300v", name, door, err)
			}
			if err := open(f.As(f.T, servicetest.Root), definition); fault.KindOf(err) != fault.Malformed && fault.KindOf(err) != fault.Invalid {
				f.Errorf("%s by %s: %.300v", name, door, err)
			}
		}
		if err := f.tests.Validate(f.As(f.T, servicetest.Root), definition); fault.KindOf(err) != fault.Malformed {
			f.Errorf("%s is valid: %.300v", name, err)
		}
	}
}
