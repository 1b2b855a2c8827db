package edit_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/metadata-service/internal/service/servicetest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const sibling urn.URN = "urn:li:dataset:(urn:li:dataPlatform:dbt,shop.orders,PROD)"

func schema(column string) string {
	return `{"schemaName":"s","platform":"urn:li:dataPlatform:hive","version":0,"hash":"","platformSchema":{"com.linkedin.schema.OtherSchema":{"rawSchema":""}},
	"fields":[{"fieldPath":"` + column + `","nativeDataType":"text","type":{"type":{"com.linkedin.schema.StringType":{}}}}]}`
}

func TestCheckColumn(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	w.Put(t, table, "schemaMetadata", schema("id"))
	w.Put(t, table, "siblings", `{"siblings":["`+string(sibling)+`"],"primary":true}`)
	w.Put(t, sibling, "schemaMetadata", schema("price"))
	ctx := w.As(t, servicetest.Jo)
	for path, ok := range map[string]bool{"id": true, "price": true, "ID": false, "": false} {
		if err := edit.CheckColumn(ctx, w.Edit, table, path); (err == nil) != ok || err != nil && fault.KindOf(err) != fault.Malformed {
			t.Errorf("%q: got %v", path, err)
		}
	}
}

func TestColumnChange(t *testing.T) {
	t.Parallel()
	w := servicetest.New(t)
	ctx := w.As(t, servicetest.Jo)
	describe := func(path, text string) {
		t.Helper()
		_, err := w.Edit.Apply(ctx, nil, edit.ColumnChange(ctx, w.Edit, table, path, func(column jsontree.Object) {
			if text != "" {
				column["description"] = text
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
	}
	describe("id", "")
	if got := w.Get(t, table, "editableSchemaMetadata"); got != "" {
		t.Errorf("a change that changes nothing wrote %s", got)
	}
	describe("id", "the number")
	describe("price", "in cents")
	describe("id", "a number")
	value, err := jsontree.DecodeObject([]byte(w.Get(t, table, "editableSchemaMetadata")))
	if err != nil {
		t.Fatal(err)
	}
	want := []any{jsontree.Object{"fieldPath": "id", "description": "a number"}, jsontree.Object{"fieldPath": "price", "description": "in cents"}}
	if !jsontree.Equal(value["editableSchemaFieldInfo"], want) {
		t.Errorf("got %s", jsontree.Encode(value))
	}
}
