package system

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

// indexedEntities returns the search documents of entities, by URN. It leaves out entities
// without a search document, and those that the actor may not read.
func (a *API) indexedEntities(c *endpoint.Call) error {
	var urns []string
	if err := c.Decode(endpoint.BodyLimit, &urns); err != nil {
		return err
	}
	docs, err := a.Operations.Documents(c.Ctx(), urns)
	if err != nil {
		return err
	}
	out := jsontree.Object{}
	for _, d := range docs {
		if d != nil {
			out[string(d.URN)] = a.indexedEntityTree(d)
		}
	}
	return c.JSONBlob(http.StatusOK, jsontree.Encode(out))
}

// indexedEntityTree converts the values to the types of their fields. A field that can have
// several values is always a list. A value without a text is a number.
func (a *API) indexedEntityTree(d *search.Document) jsontree.Object {
	tree := jsontree.Object{"urn": string(d.URN), "_entityType": d.Type}
	kinds := a.indexKinds(d.Type)
	for name, values := range d.Fields {
		kind := kinds[name]
		list := make([]any, len(values))
		for i, v := range values {
			switch {
			case kind.boolean && (v.Text == "true" || v.Text == "false"):
				list[i] = v.Text == "true"
			case v.Text == "":
				list[i] = jsontree.Float(v.Number)
			default:
				list[i] = v.Text
			}
		}
		if tree[name] = list; len(list) == 1 && !kind.multiple {
			tree[name] = list[0]
		}
	}
	return tree
}

// indexKind describes a field of the search index according to the model.
type indexKind struct{ boolean, multiple bool }

// indexKinds returns, by name, the fields that are not plain single strings or numbers.
func (a *API) indexKinds(entityType string) map[string]indexKind {
	kinds := map[string]indexKind{}
	entity, ok := a.Registry.Entity(entityType)
	if !ok {
		return kinds
	}
	for _, aspect := range entity.All() {
		for i := range aspect.Search {
			f := &aspect.Search[i]
			previous := kinds[f.Field]
			kinds[f.Field] = indexKind{boolean: previous.boolean || f.Type == "BOOLEAN", multiple: previous.multiple || f.Multi}
			if f.HasValues != "" {
				kinds[f.HasValues] = indexKind{boolean: true}
			}
		}
	}
	return kinds
}
