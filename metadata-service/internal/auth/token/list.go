package token

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

const (
	listBatch = 500
	// MaxCount is the largest page a listing gives.
	MaxCount = 1000
)

// Query asks for records of tokens. Empty fields do not restrict.
type Query struct {
	Actor, Owner urn.URN
	Text         string // part of name or description, ignoring case
	Start, Count int    // Count 0 means MaxCount
}

// Page is a part of a listing; Total counts all that match.
type Page struct {
	Total int
	Infos []Info
}

// List gives records of tokens, newest first. All of them need
// auth.ManageTokens; with auth.GenerateTokens alone the query must ask for the
// caller's own (Owner).
func (s *Service) List(ctx context.Context, q Query) (Page, error) {
	if q.Start < 0 || q.Count < 0 || q.Count > MaxCount {
		return Page{}, fault.New(fault.Malformed, "start must not be negative, count must be between 0 and %d", MaxCount)
	}
	if q.Count == 0 {
		q.Count = MaxCount
	}
	all, err := s.All(ctx, q)
	if err != nil {
		return Page{}, err
	}
	from := min(q.Start, len(all))
	return Page{Total: len(all), Infos: all[from:min(from+q.Count, len(all))]}, nil
}

// Metadata gives the record of the token with the given text. The actor in ctx
// needs auth.ManageTokens. A text of which there is no record is fault.NotFound.
func (s *Service) Metadata(ctx context.Context, text string) (Info, error) {
	if _, err := auth.Require(ctx, s.cfg.Authorizer, auth.ForPlatform(auth.ManageTokens).ToRead()); err != nil {
		return Info{}, err
	}
	if len(text) > maxText {
		return Info{}, fault.New(fault.Malformed, "the token is longer than %d bytes", maxText)
	}
	info, err := s.get(ctx, recordID(text, s.cfg.Salt))
	if err != nil {
		return Info{}, err
	}
	uses, err := s.cfg.Uses.All(ctx)
	return s.current(info, uses), err
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

func (q *Query) matches(info Info) bool {
	if q.Actor != "" && q.Actor != info.Actor || q.Owner != "" && q.Owner != info.Owner {
		return false
	}
	text := strings.ToLower(q.Text)
	return strings.Contains(strings.ToLower(info.Name), text) || strings.Contains(strings.ToLower(info.Description), text)
}

func (s *Service) each(ctx context.Context, use func(Info)) error {
	for after := urn.URN(""); ; {
		urns, err := s.cfg.Aspects.List(ctx, EntityType, after, listBatch)
		if err != nil {
			return fmt.Errorf("list tokens: %w", err)
		}
		if len(urns) == 0 {
			return nil
		}
		for _, u := range urns {
			info, ok, err := s.read(ctx, u.Key())
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
		return Info{}, gone(id)
	}
	info, ok, err := s.read(ctx, id)
	if err == nil && !ok {
		err = gone(id)
	}
	return info, err
}

func gone(id string) error {
	return fault.New(fault.NotFound, "Access token no longer exists: %.100s", id)
}

func (s *Service) read(ctx context.Context, id string) (info Info, ok bool, err error) {
	row, err := s.cfg.Aspects.Get(ctx, tokenURN(id), InfoAspect)
	if err != nil {
		return Info{}, false, fmt.Errorf("read token %.100s: %w", id, err)
	}
	if row == nil {
		return Info{}, false, nil
	}
	var rec record
	if err := json.Unmarshal(row.Value, &rec); err != nil {
		return Info{}, false, fmt.Errorf("read token %.100s: %w", id, err)
	}
	return rec.info(id), true, nil
}

// current completes a record with what changes by itself.
func (s *Service) current(info Info, uses map[string]int64) Info {
	info.LastUsedAt = uses[info.ID]
	info.ExpiresSoon = expiresSoon(info, s.cfg.Now())
	return info
}

// All gives the records that List pages through.
func (s *Service) All(ctx context.Context, q Query) ([]Info, error) {
	if err := s.allowList(ctx, q.Owner); err != nil {
		return nil, err
	}
	uses, err := s.cfg.Uses.All(ctx)
	if err != nil {
		return nil, err
	}
	var all []Info
	err = s.each(ctx, func(info Info) {
		if q.matches(info) {
			all = append(all, s.current(info, uses))
		}
	})
	slices.SortFunc(all, func(a, b Info) int {
		return cmp.Or(cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return all, err
}
