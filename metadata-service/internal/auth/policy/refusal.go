package policy

import (
	"fmt"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/urn"
)

// refusal says what an actor lacks over a resource. With view authorization a refused creation is
// described as an update, since the difference tells whether the entity exists.
func (q *question) refusal(c *auth.Check, on urn.URN) error {
	if c.Operation == auth.OpCreate && q.engine.cfg.ViewAuthorization {
		update := *c
		update.Operation, c = auth.OpUpdate, &update
	}
	if q.beyond != "" {
		return auth.BeyondScope(auth.Actor{URN: q.urn, Scope: q.scope}, c.Operation, q.beyond, on)
	}
	needed, err := q.needed(c, on)
	if err != nil {
		return err
	}
	if p := Measured(on.Type(), c.Aspect); p != "" && c.Operation == auth.OpRead && len(c.AnyOf) == 0 {
		if _, ok, err := q.readsEntity(c, on); ok && err == nil {
			needed = []auth.Privilege{p} // the right to read the entity is not what is missing
		}
	}
	if parent := parentOf(on); parent != "" && followsParent(c) {
		on = parent
	}
	switch {
	case len(c.AnyOf) == 1 && c.AnyOf[0] == auth.Own:
		return auth.Lacking(q.urn, "", needed, on, "%s is unauthorized: %s belongs to somebody else", q.urn, on)
	case len(c.AnyOf) == 0:
		what := string(on)
		if on != "" && on.Key() == "" {
			what = "entities of the type " + on.Type()
		}
		if c.Aspect != "" {
			what = c.Aspect + " of " + what
		}
		return auth.Lacking(q.urn, c.Operation, needed, on, "%s is unauthorized to %s %s: needs the privilege %s", q.urn, c.Operation, what, named(needed))
	case on != "":
		return auth.Lacking(q.urn, "", needed, on, "%s is unauthorized: needs one of the privileges %v over %s", q.urn, needed, on)
	}
	names := make([]string, len(needed))
	for i, p := range needed {
		names[i] = string(p)
	}
	return auth.Lacking(q.urn, "", needed, "", "%s is unauthorized: needs the privilege %s", q.urn, strings.Join(names, " or "))
}

// named is the privilege that a refusal names.
func named(needed []auth.Privilege) string {
	for _, p := range needed {
		if p != auth.Own {
			return string(p)
		}
	}
	return fmt.Sprint(needed)
}
