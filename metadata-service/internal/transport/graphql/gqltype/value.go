package gqltype

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
)

// StructuredProperties converts the values of structured properties in an aspect, for operations
// that return them alone. The result is not nil even when the aspect is absent.
func (l *Loader) StructuredProperties(ctx context.Context, at Place, aspect jsontree.Object, w *selection.Set) *StructuredProperties {
	if aspect == nil {
		aspect = jsontree.Object{"properties": []any{}}
	}
	v, _ := l.toStructuredProperties(ctx, at, aspect, w)
	return v
}

// EntityOf wraps a restricted entity, which no read returns, as an Entity.
func EntityOf(r *Restricted) *Entity { return &Entity{r} }
