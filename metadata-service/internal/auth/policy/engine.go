// Package policy decides which operations actors may perform, and which entities they may see.
//
// Policies are entities that grant privileges to actors, over resources or over the platform. They
// only grant: there is no denial and no order. The tables of package privilege state the privileges
// that an operation needs.
//
// The Engine caches the compiled policies and, for each actor, the policies that apply to it, by
// privilege. It follows the change log, so that a changed policy, membership or role takes effect
// with the next request. Facts about resources, such as their owners, are read when a policy needs
// them, once per request.
//
// # Policies are compiled for each actor
//
// A page checks twenty privileges for each of its rows, and a catalog may have thousands of
// policies. Policies that do not match the actor therefore cost nothing, and a policy for all
// resources decides without stored facts. For other policies the Engine reads the facts for all
// rows in one call. The Engine must be an awaited projection, because a revoked privilege must not
// hold for the next request; reloading policies by a timer is either slow or temporarily wrong.
//
// # View authorization is a filter
//
// The policies of an actor also become one filter of the search index, which holds the ancestors of
// entities (domains, containers, glossary nodes) for this purpose. The Engine caches the filter
// with a hash of its content, and the search driver keeps the resulting set under this key, so a
// filter may be far longer than the filter of a request. Entities that are viewed with others, such
// as queries, refer to these entities in the index (search.Reference): copied facts of all datasets
// of a query would not say whether each dataset may be viewed. The tests compare the decisions for
// random policies, actors and resources with a naive evaluator, which has neither index nor cache.
package policy

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/cache"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy/privilege"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Rows reads the latest records of a store, nil for absent ones, and lists entities.
type Rows interface {
	Get(ctx context.Context, keys ...model.Key) ([]*model.Record, error)
	Scan(ctx context.Context, q store.Scan) ([]urn.URN, error)
}

// Config holds the dependencies and settings of an Engine.
type Config struct {
	// Rows is the store of the policies, the memberships and the aspects that policies refer to. It
	// is required.
	Rows Rows
	// Off grants every check to every signed-in actor.
	Off bool
	// ViewAuthorization limits searches, graph walks and reads to the entities that the actor may
	// view. Without it an actor reads either all entities of a type or none.
	ViewAuthorization bool
	// Unrestricted lists entity types whose entities every actor may view, unless reading them
	// needs a special privilege.
	Unrestricted []string
}

// Engine decides by the stored policies. Call Load, and register it as an awaited projection of the
// change log. It is safe for concurrent use.
type Engine struct {
	cfg      Config
	snapshot atomic.Pointer[snapshot]
	// standings caches the grants of actors. parents caches the direct parents of domains,
	// containers, glossary terms and glossary nodes.
	standings *cache.Cache[urn.URN, *standing]
	parents   *cache.Cache[urn.URN, urn.URN]
	// unrestricted holds the entity types that every actor may view.
	unrestricted map[string]bool
}

// Limits of the caches, in entries.
const (
	maxStandings = 10_000
	maxParents   = 50_000
)

// New returns an Engine without policies. Load reads them.
func New(cfg Config) *Engine {
	e := &Engine{cfg: cfg, standings: cache.New[urn.URN, *standing](maxStandings), parents: cache.New[urn.URN, urn.URN](maxParents)}
	e.unrestricted = map[string]bool{}
	for _, name := range cfg.Unrestricted {
		e.unrestricted[name] = true
	}
	e.snapshot.Store(newSnapshot(map[urn.URN]*Policy{}))
	return e
}

// Enabled reports whether policies decide. Otherwise every check is granted.
func (e *Engine) Enabled() bool { return !e.cfg.Off }

// Deciding lists the aspects on which decisions about writes to an entity depend: those that some
// active policy refers to.
func (e *Engine) Deciding() []string {
	if e.cfg.Off {
		return nil
	}
	return e.snapshot.Load().deciding
}

// Decide answers checks, one decision for each in the order of the checks. Refusals are
// fault.Forbidden and name the missing privilege. A context without an actor is
// fault.Unauthenticated. In a request with a decision cache each check is evaluated once, see
// auth.WithDecisionCache.
func (e *Engine) Decide(ctx context.Context, checks []auth.Check) ([]auth.Decision, error) {
	actor, err := knownActor(ctx)
	if err != nil {
		return nil, err
	}
	if e.mayAll(actor) {
		return grantAll(actor, checks), nil
	}
	return auth.DecideCached(ctx, checks, func(open []auth.Check) ([]auth.Decision, error) {
		st, err := e.standing(ctx, actor.URN)
		if err != nil {
			return nil, err
		}
		return e.decide(ctx, actor, st, open)
	})
}

func knownActor(ctx context.Context) (auth.Actor, error) {
	actor, ok := auth.ActorFrom(ctx)
	if !ok {
		return auth.Actor{}, fault.New(fault.Unauthenticated, "this needs an access token: send Authorization: Bearer <token>")
	}
	return actor, nil
}

// mayAll reports whether an actor passes every check. An actor with a scoped token does not.
func (e *Engine) mayAll(a auth.Actor) bool { return a.Scope == nil && e.holdsAll(a) }

// holdsAll reports whether an actor holds every privilege.
func (e *Engine) holdsAll(a auth.Actor) bool { return a.System || e.cfg.Off }

func grantAll(actor auth.Actor, checks []auth.Check) []auth.Decision {
	out := make([]auth.Decision, len(checks))
	for i, c := range checks {
		var by auth.Privilege
		if needed := neededFor(&c, resourcesOf(&c)[0]); len(needed) > 0 {
			by = needed[0]
		}
		out[i] = auth.Allow(actor.URN, c, by, privilege.Reaches)
	}
	return out
}

// resourcesOf returns the resources of a check: its entities, or the URN prefix of its type, or an
// empty URN for no resource.
func resourcesOf(c *auth.Check) []urn.URN {
	switch {
	case len(c.Entities) > 0:
		return c.Entities
	case c.Type != "":
		return []urn.URN{urn.URN(urn.TypePrefix(c.Type))}
	}
	return noResource
}

var noResource = []urn.URN{""}

// neededFor lists the privileges of which one suffices for a check.
func neededFor(c *auth.Check, on urn.URN) []auth.Privilege {
	if len(c.AnyOf) > 0 {
		return c.AnyOf
	}
	return privilege.Needed(c.Operation, on, c.Aspect)
}

// decide answers the checks of an actor.
func (e *Engine) decide(ctx context.Context, actor auth.Actor, st *standing, checks []auth.Check) ([]auth.Decision, error) {
	var f *facts
	if slices.ContainsFunc(checks, looksAtResources) {
		f = auth.RequestFacts(ctx, func() *facts { return &facts{engine: e} })
		f.mu.Lock()
		defer f.mu.Unlock()
	}
	q := &question{ctx: ctx, engine: e, standing: st, facts: f, scope: actor.Scope, all: e.holdsAll(actor), once: len(checks) == 1 && len(resourcesOf(&checks[0])) == 1}
	if err := q.prefetch(checks); err != nil {
		return nil, err
	}
	return q.decide(checks)
}

// decide answers checks after their facts have been read.
func (q *question) decide(checks []auth.Check) ([]auth.Decision, error) {
	out := make([]auth.Decision, len(checks))
	var misses []refusedCheck
	for i := range checks {
		var err error
		var missed refusedCheck
		if out[i], missed, err = q.answer(&checks[i]); err != nil {
			return nil, err
		}
		if missed.check != nil {
			missed.decision = &out[i]
			misses = append(misses, missed)
		}
	}
	return out, q.refuse(misses)
}
