package gqltype

import (
	"context"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/selection"
)

// StructuredProperties gives the values of structured properties that an
// aspect holds, for operations that answer with them alone. There is a value
// even when the aspect is absent.
func (l *Loader) StructuredProperties(ctx context.Context, at Place, aspect jsontree.Object, w *selection.Set) *StructuredProperties {
	if aspect == nil {
		aspect = jsontree.Object{"properties": []any{}}
	}
	v, _ := l.toStructuredProperties(ctx, at, aspect, w)
	return v
}

// EntityOf gives a restricted entity, which no read makes, as an Entity.
func EntityOf(r *Restricted) *Entity { return &Entity{r} }
