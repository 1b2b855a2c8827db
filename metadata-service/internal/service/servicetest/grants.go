package servicetest

import (
	"context"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/service/edit"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Grants are the only privileges that anybody has, for tests of which ones a
// service asks for.
type Grants struct {
	Platform []auth.Privilege
	Over     map[urn.URN][]auth.Privilege
}

var _ edit.Privileges = Grants{}

// Require implements edit.Privileges.
func (g Grants) Require(_ context.Context, p auth.Privilege) error {
	if slices.Contains(g.Platform, p) {
		return nil
	}
	return fault.New(fault.Forbidden, "needs %s", p)
}

// Allow implements edit.Privileges.
func (g Grants) Allow(_ context.Context, on urn.URN, oneOf ...auth.Privilege) error {
	for _, p := range oneOf {
		if slices.Contains(g.Over[on], p) {
			return nil
		}
	}
	return fault.New(fault.Forbidden, "needs one of %v over %s", oneOf, on)
}

// Granting is the editor of the World where nobody has other privileges.
func (w *World) Granting(g Grants) *edit.Editor {
	return &edit.Editor{Catalog: w.Edit.Catalog, Discover: w.Edit.Discover, Registry: w.Edit.Registry, Privileges: g, Now: w.Edit.Now}
}
