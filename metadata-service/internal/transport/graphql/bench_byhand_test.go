package graphql_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"github.com/cartulary/cartulary/pkg/urn"
)

// byHand executes exactly the two pages: for each request it parses the document, determines
// which of the two it is, and encodes structs with the data it reads. It validates nothing.
type byHand struct{ reads pageReads }

func (h byHand) exec(ctx context.Context, p page) ([]byte, error) {
	doc, err := parser.ParseQuery(&ast.Source{Input: p.document})
	if err != nil {
		return nil, err
	}
	op := doc.Operations[0]
	if len(op.SelectionSet) != 1 {
		return nil, fmt.Errorf("%s selects %d fields", op.Name, len(op.SelectionSet))
	}
	switch root := op.SelectionSet[0].(*ast.Field); root.Name {
	case "dataset":
		var in struct {
			URN urn.URN `json:"urn"`
		}
		if err := json.Unmarshal([]byte(p.variables), &in); err != nil {
			return nil, err
		}
		found, err := h.reads.dataset(ctx, in.URN)
		if err != nil {
			return nil, err
		}
		return json.Marshal(datasetAnswer{found})
	case "searchAcrossEntities":
		var in struct {
			Input searchRequest `json:"input"`
		}
		if err := json.Unmarshal([]byte(p.variables), &in); err != nil {
			return nil, err
		}
		found, err := h.reads.search(ctx, in.Input)
		if err != nil {
			return nil, err
		}
		return json.Marshal(searchAnswer{found})
	default:
		return nil, fmt.Errorf("no page asks for %s", root.Name)
	}
}
