package token

import (
	"context"
	"math"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	listBatch = 500
	// MaxCount is the largest page of a listing.
	MaxCount = 10_000
	// usualCount is the page size of a query without one.
	usualCount = 1000
)

// Query selects token records. Empty fields do not restrict the selection.
type Query struct {
	Actor, Owner urn.URN
	Text         string // part of name or description, ignoring case
	Start, Count int    // Count is at most MaxCount; 0 means 1000
	Order        Order
	// Where selects tokens; nil selects all. Without WhereReads its Info has only the indexed
	// fields: ID, URN, Actor, Owner, CreatedAt and ExpiresAt.
	Where      func(Info) (bool, error)
	WhereReads bool
	// Charge is called with the number of records before they are examined. Its error ends the
	// listing. Nil disables it.
	Charge func(records int) error
}

// Page is a part of a listing. Total is the number of all matching tokens.
type Page struct {
	Total int
	Infos []Info
}

// heldPerRead is the number of tokens whose examination in memory counts as reading one record.
const heldPerRead = 10

// List returns token records in the requested order. It needs auth.ManageTokens;
// auth.GenerateTokens alone suffices for the tokens that the actor owns, with its URN as Owner. A
// page of the tokens of an owner, of an actor or of all costs as much as its size. Where examines
// each token of the owner or actor, and WhereReads or Text reads the record of each.
func (s *Service) List(ctx context.Context, q Query) (Page, error) {
	switch {
	case q.Start < 0 || q.Count < 0 || q.Count > MaxCount:
		return Page{}, fault.New(fault.Malformed, "start must not be negative, count must be between 0 and %d", MaxCount)
	case q.Order < 0 || q.Order >= orders:
		return Page{}, fault.New(fault.Malformed, "the order %d of tokens is not known", q.Order)
	}
	if q.Count == 0 {
		q.Count = usualCount
	}
	if err := s.allowList(ctx, q.Owner); err != nil {
		return Page{}, err
	}
	if err := s.index.refresh(ctx); err != nil {
		return Page{}, err
	}
	if q.Text != "" || q.Where != nil {
		return s.listWhere(ctx, &q)
	}
	entries, total := s.index.find(q.Owner, q.Actor, q.Order, q.Start, q.Count)
	infos, err := s.infos(ctx, &q, entries)
	return Page{Total: total, Infos: infos}, err
}

// All returns all records that List pages through, for reports.
func (s *Service) All(ctx context.Context, q Query) ([]Info, error) {
	q.Start, q.Count = 0, MaxCount
	var all []Info
	for {
		page, err := s.List(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Infos...)
		if q.Start += q.Count; q.Start >= page.Total {
			return all, nil
		}
	}
}

// listWhere examines every token of the owner and the actor.
func (s *Service) listWhere(ctx context.Context, q *Query) (page Page, err error) {
	entries, total := s.index.find(q.Owner, q.Actor, q.Order, 0, math.MaxInt)
	cost := total / heldPerRead
	if q.Text != "" || q.WhereReads {
		cost = total
	}
	if err := q.charge(cost); err != nil {
		return Page{}, err
	}
	var onPage []*entry
	for i, e := range entries {
		if i%listBatch == 0 && ctx.Err() != nil {
			return Page{}, ctx.Err()
		}
		ok, err := s.fits(ctx, q, e)
		if err != nil {
			return Page{}, err
		}
		if !ok {
			continue
		}
		if page.Total++; page.Total > q.Start && len(onPage) < q.Count {
			onPage = append(onPage, e)
		}
	}
	page.Infos, err = s.infos(ctx, q, onPage)
	return page, err
}

// fits reports whether a token matches the query.
func (s *Service) fits(ctx context.Context, q *Query, e *entry) (ok bool, err error) {
	info := Info{ID: e.id, URN: tokenURN(e.id), Actor: e.actor, Owner: e.owner, CreatedAt: e.createdAt, ExpiresAt: e.expiresAt}
	if q.Text != "" || q.WhereReads {
		if info, ok, err = s.records.read(ctx, e.id); err != nil || !ok {
			return false, err
		}
		if !q.hasText(info) {
			return false, nil
		}
	}
	if q.Where == nil {
		return true, nil
	}
	return q.Where(info)
}

// infos reads the records of a page. It omits records that have been deleted in the meantime.
func (s *Service) infos(ctx context.Context, q *Query, entries []*entry) ([]Info, error) {
	if err := q.charge(len(entries)); err != nil {
		return nil, err
	}
	infos := make([]Info, 0, len(entries))
	for _, e := range entries {
		info, ok, err := s.records.read(ctx, e.id)
		if err != nil {
			return nil, err
		}
		if !ok || q.Owner != "" && info.Owner != q.Owner {
			continue
		}
		if info, err = s.current(ctx, info); err != nil {
			return nil, err
		}
		infos = append(infos, info)
	}
	return infos, nil
}

func (q *Query) charge(records int) error {
	if q.Charge == nil {
		return nil
	}
	return q.Charge(records)
}

func (q *Query) hasText(info Info) bool {
	text := strings.ToLower(q.Text)
	return strings.Contains(strings.ToLower(info.Name), text) || strings.Contains(strings.ToLower(info.Description), text)
}

// Metadata returns the record of the token with the given text. The actor in ctx needs
// auth.ManageTokens. A text without a record is fault.NotFound.
func (s *Service) Metadata(ctx context.Context, text string) (Info, error) {
	if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageTokens).ToRead()); err != nil {
		return Info{}, err
	}
	id, err := s.cfg.Authority.ID(text)
	if err != nil {
		return Info{}, err
	}
	info, err := s.get(ctx, id)
	if err != nil {
		return Info{}, err
	}
	return s.current(ctx, info)
}

func (s *Service) allowList(ctx context.Context, owner urn.URN) error {
	caller, ok := auth.ActorFrom(ctx)
	if !ok {
		return fault.New(fault.Unauthenticated, "sign in to list access tokens")
	}
	_, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageTokens).ToRead())
	if err == nil || owner != caller.URN {
		return err
	}
	_, err = auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.GenerateTokens).ToRead())
	return err
}

func (s *Service) each(ctx context.Context, use func(Info)) error {
	for after := urn.URN(""); ; {
		urns, err := s.records.names(ctx, after)
		if err != nil || len(urns) == 0 {
			return err
		}
		for _, u := range urns {
			info, ok, err := s.records.read(ctx, u.Key())
			if err != nil {
				return err
			}
			if ok {
				use(info)
			}
			after = u
		}
	}
}

func (s *Service) get(ctx context.Context, id string) (Info, error) {
	if _, err := urn.Parse(string(tokenURN(id))); err != nil {
		return Info{}, notFound(id)
	}
	info, ok, err := s.records.read(ctx, id)
	if err == nil && !ok {
		err = notFound(id)
	}
	return info, err
}

func notFound(id string) error {
	return fault.New(fault.NotFound, "Access token no longer exists: %.100s", id)
}

// current completes a record with the fields that are not stored in it.
func (s *Service) current(ctx context.Context, info Info) (Info, error) {
	last, err := s.records.uses.Last(ctx, info.ID)
	info.LastUsedAt, info.ExpiresSoon = last, expiresSoon(info, s.cfg.Now())
	return info, err
}
