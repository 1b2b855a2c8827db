package graphql

import (
	"context"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/admission"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/gqltype"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// tokenMetadata converts the record of a token. The owner may see it without the privilege to
// read entities of this type, so it is not loaded like other entities.
func (a *api) tokenMetadata(l *loader, info token.Info, w *set) *gqltype.AccessTokenMetadata {
	want := w.Of("AccessTokenMetadata")
	out := &gqltype.AccessTokenMetadata{
		Urn: string(info.URN), Type: "ACCESS_TOKEN", Id: info.ID, Name: info.Name, Description: nilIfZero(info.Description),
		ActorUrn: string(info.Actor), OwnerUrn: string(info.Owner), CreatedAt: gqltype.Long(info.CreatedAt), ExpiresAt: nilIfZero(gqltype.Long(info.ExpiresAt)),
		Scope: scopeOf(info.Scope), LastUsedAt: nilIfZero(gqltype.Long(info.LastUsedAt)), ExpiresSoon: ptr(info.ExpiresSoon),
		Relationships: a.Relationships(place{URN: info.URN, Type: "ACCESS_TOKEN"}, want["relationships"]),
	}
	if want["owner"] != nil {
		out.Owner = user(l, string(info.Owner), want["owner"])
	}
	return out
}

func scopeOf(s *auth.Scope) *gqltype.AccessTokenScope {
	if s == nil {
		return nil
	}
	out := &gqltype.AccessTokenScope{ReadOnly: s.ReadOnly, Privileges: []string{}, Resources: []*gqltype.AccessTokenScopeCriterion{}}
	for _, p := range s.Privileges {
		out.Privileges = append(out.Privileges, string(p))
	}
	for _, c := range s.Resources {
		out.Resources = append(out.Resources, &gqltype.AccessTokenScopeCriterion{Field: string(c.Field), Values: c.Values, Condition: string(c.Condition)})
	}
	return out
}

func requestedScope(in *gqltype.AccessTokenScopeInput) *auth.Scope {
	if in == nil {
		return nil
	}
	out := &auth.Scope{ReadOnly: value(in.ReadOnly)}
	for _, p := range value(in.Privileges) {
		out.Privileges = append(out.Privileges, auth.Privilege(p))
	}
	for _, c := range value(in.Resources) {
		out.Resources = append(out.Resources, auth.Criterion{Field: auth.ResourceField(c.Field), Values: c.Values, Condition: auth.Condition(c.Condition)})
	}
	return out
}

// requestedLifetime parses the lifetime of a token from the one of two input members that is set,
// and returns its text, too. Both, or none, are fault.Malformed.
func requestedLifetime(name, iso *string) (time.Duration, string, error) {
	switch {
	case (name == nil) == (iso == nil):
		return 0, "", fault.New(fault.Malformed, "Exactly one of duration or durationIso must be provided when creating an access token")
	case name != nil:
		lifetime, err := token.ParseLifetime(*name)
		return lifetime, *name, err
	}
	lifetime, err := token.ParsePeriod(*iso)
	return lifetime, *iso, err
}

// CreateAccessToken creates a token. The response is the only place that contains its text.
func (m *mutation) CreateAccessToken(ctx context.Context, args gqltype.CreateAccessTokenArgs) (*gqltype.AccessToken, error) {
	in := args.Input
	lifetime, period, err := requestedLifetime(in.Duration, in.DurationIso)
	if err != nil {
		return nil, err
	}
	text, info, err := m.api.Tokens.Create(ctx, token.Draft{
		Kind: authtoken.Kind(in.Type), Actor: urn.URN(in.ActorUrn), Name: in.Name, Description: value(in.Description), Lifetime: lifetime, Period: period,
		Scope: requestedScope(in.Scope),
	})
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "createAccessToken").Of("AccessToken")["metadata"]
	return build(ctx, m.api, func(l *loader) *gqltype.AccessToken {
		return &gqltype.AccessToken{AccessToken: text, Metadata: m.api.tokenMetadata(l, info, want)}
	})
}

const defaultTokens = 20

// ListAccessTokens lists token records, those with the longest remaining lifetime first and those
// without expiry last.
func (q *query) ListAccessTokens(ctx context.Context, args gqltype.ListAccessTokensArgs) (*gqltype.ListAccessTokenResult, error) {
	from, size, err := page(args.Input.Start, args.Input.Count, defaultTokens)
	if err != nil {
		return nil, err
	}
	request, err := tokenQuery(value(args.Input.Filters))
	if err != nil {
		return nil, err
	}
	request.Start, request.Count, request.Order = from, max(size, 1), token.LongestFirst // a count of 0 requests only the total
	request.Charge = func(records int) error {
		if err := admission.Reserve(ctx, entryBytes*int64(min(records, size))); err != nil {
			return err
		}
		return charge(ctx, records)
	}
	found, err := readWithinBudget(ctx, searchCost, noExtraCost[token.Page], func() (token.Page, error) { return q.api.Tokens.List(ctx, request) })
	if err != nil {
		return nil, err
	}
	want := selectionOf(ctx, "listAccessTokens").Of("ListAccessTokenResult")["tokens"]
	return build(ctx, q.api, func(l *loader) *gqltype.ListAccessTokenResult {
		out := &gqltype.ListAccessTokenResult{Start: int32(from), Count: int32(size), Total: int32(found.Total), Tokens: []*gqltype.AccessTokenMetadata{}}
		for _, info := range pageOf(found.Infos, 0, size) {
			out.Tokens = append(out.Tokens, q.api.tokenMetadata(l, info, want))
		}
		return out
	})
}

// tokenQuery converts filters to a token query. An index finds tokens by one owner and one actor;
// an actor without the privilege to see all tokens must restrict the query to its own tokens in
// this way. The remaining conditions are evaluated on each token found.
func tokenQuery(filters []gqltype.FacetFilterInput) (q token.Query, err error) {
	var left []gqltype.FacetFilterInput
	for _, f := range filters {
		one := !value(f.Negated) && valueOr(f.Condition, "EQUAL") == "EQUAL" && len(value(f.Values)) == 1
		switch {
		case one && f.Field == "ownerUrn" && q.Owner == "" && (*f.Values)[0] != "":
			q.Owner = urn.URN((*f.Values)[0])
			continue
		case one && f.Field == "actorUrn" && q.Actor == "" && (*f.Values)[0] != "":
			q.Actor = urn.URN((*f.Values)[0])
			continue
		case f.Field == "name" || f.Field == "description":
			q.WhereReads = true
		}
		if _, err := tokenMatches(token.Info{}, []gqltype.FacetFilterInput{f}); err != nil {
			return token.Query{}, err
		}
		left = append(left, f)
	}
	if len(left) > 0 {
		q.Where = func(info token.Info) (bool, error) { return tokenMatches(info, left) }
	}
	return q, nil
}

// tokenMatches reports whether a token record matches all filters.
func tokenMatches(info token.Info, filters []gqltype.FacetFilterInput) (bool, error) {
	for _, f := range filters {
		var have string
		switch f.Field {
		case "ownerUrn":
			have = string(info.Owner)
		case "actorUrn":
			have = string(info.Actor)
		case "name":
			have = info.Name
		case "id", "urn", "expiresAt", "description":
			have = map[string]string{"id": info.ID, "urn": string(info.URN), "description": info.Description, "expiresAt": expiry(info)}[f.Field]
		default:
			return false, fault.New(fault.Malformed, "filters: tokens have no field %s; use ownerUrn, actorUrn, name or expiresAt", f.Field)
		}
		ok, err := matchesCondition(have, valueOr(f.Condition, "EQUAL"), value(f.Values))
		if err != nil {
			return false, err
		}
		if ok == value(f.Negated) {
			return false, nil
		}
	}
	return true, nil
}

// RevokeAccessToken revokes a token.
func (m *mutation) RevokeAccessToken(ctx context.Context, args gqltype.RevokeAccessTokenArgs) (bool, error) {
	if err := m.api.Tokens.Revoke(ctx, args.TokenId); err != nil {
		if fault.KindOf(err) == fault.NotFound {
			return false, fault.Wrap(err, fault.Malformed, "Failed to revoke access token. Root cause: Access token no longer exists")
		}
		return false, err
	}
	return true, nil
}

// RevokeAllAccessTokens revokes the tokens of a user and returns their number.
func (m *mutation) RevokeAllAccessTokens(ctx context.Context, args gqltype.RevokeAllAccessTokensArgs) (int32, error) {
	n, err := m.api.Tokens.RevokeAll(ctx, urn.URN(args.ActorUrn), args.Created)
	return int32(n), err
}

// EndSessions ends all sessions of a user.
func (m *mutation) EndSessions(ctx context.Context, args gqltype.EndSessionsArgs) (bool, error) {
	err := m.api.Tokens.EndSessions(ctx, urn.URN(args.UserUrn))
	return err == nil, err
}

// GetAccessToken creates a token for the actor.
func (q *query) GetAccessToken(ctx context.Context, args gqltype.GetAccessTokenArgs) (*gqltype.AccessToken, error) {
	in := args.Input
	lifetime, period, err := requestedLifetime(in.Duration, in.DurationIso)
	if err != nil {
		return nil, err
	}
	text, err := q.api.Tokens.CreateOwn(ctx, authtoken.Kind(in.Type), urn.URN(in.ActorUrn), lifetime, period)
	if err != nil {
		return nil, err
	}
	return &gqltype.AccessToken{AccessToken: text}, nil
}

// GetAccessTokenMetadata returns the record of the token with the given text.
func (q *query) GetAccessTokenMetadata(ctx context.Context, args gqltype.GetAccessTokenMetadataArgs) (*gqltype.AccessTokenMetadata, error) {
	info, err := q.api.Tokens.Metadata(ctx, args.Token)
	if err != nil {
		return nil, err
	}
	return build(ctx, q.api, func(l *loader) *gqltype.AccessTokenMetadata {
		return q.api.tokenMetadata(l, info, selectionOf(ctx, "getAccessTokenMetadata"))
	})
}
