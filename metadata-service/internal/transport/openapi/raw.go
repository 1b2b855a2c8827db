package openapi

import (
	"net/http"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

// indexedEntities shows what is indexed of some entities, by URN; what has no
// document is left out.
func (a *API) indexedEntities(c *call) error {
	var urns []string
	if err := c.decode(bodyLimit, &urns); err != nil {
		return err
	}
	docs, err := a.Operations.Documents(c.ctx(), urns)
	if err != nil {
		return err
	}
	out := jsontree.Object{}
	for _, d := range docs {
		if d != nil {
			out[string(d.URN)] = indexedEntityTree(d)
		}
	}
	return c.json(http.StatusOK, jsontree.Encode(out))
}

// indexedEntityTree writes single values as such and several as lists. A value
// without a text is a number.
func indexedEntityTree(d *search.Document) jsontree.Object {
	tree := jsontree.Object{"urn": string(d.URN), "_entityType": d.Type}
	for name, values := range d.Fields {
		list := make([]any, len(values))
		for i, v := range values {
			if list[i] = v.Text; v.Text == "" {
				list[i] = jsontree.Float(v.Number)
			}
		}
		if tree[name] = list; len(list) == 1 {
			tree[name] = list[0]
		}
	}
	return tree
}
