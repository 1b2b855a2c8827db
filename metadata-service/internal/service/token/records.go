package token

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Names of the entity type and the aspects in the model.
const (
	EntityType = "dataHubAccessToken"
	KeyAspect  = "dataHubAccessTokenKey"
	InfoAspect = "dataHubAccessTokenInfo"
)

// Aspects reads and writes the records of tokens. It is implemented by a catalog.Managed for
// KeyAspect and InfoAspect.
type Aspects interface {
	Get(ctx context.Context, u urn.URN, aspect string) (*model.Record, error)
	Write(ctx context.Context, proposals []catalog.Proposal) error
	List(ctx context.Context, entityType string, after urn.URN, limit int) ([]urn.URN, error)
	Lookup(ctx context.Context, t model.Term, after urn.URN, limit int) ([]urn.URN, error)
	Revoke(ctx context.Context, u urn.URN) error
}

// Records stores the records of access tokens in the catalog, and their last uses. It is safe for
// concurrent use.
type Records struct {
	aspects Aspects
	uses    *Uses
}

// NewRecords returns a Records.
func NewRecords(aspects Aspects, uses *Uses) *Records { return &Records{aspects, uses} }

// Scope returns the scope of a token, nil if the token has none; ok is false without a record.
func (r *Records) Scope(ctx context.Context, id string) (scope *auth.Scope, ok bool, err error) {
	info, ok, err := r.read(ctx, id)
	return info.Scope, ok, err
}

// Used notes that a token is used now.
func (r *Records) Used(id string) { r.uses.Note(id) }

// Drop deletes the record of a token, if there is one.
func (r *Records) Drop(ctx context.Context, id string) error {
	u := tokenURN(id)
	row, err := r.aspects.Get(ctx, u, InfoAspect)
	if err != nil || row == nil {
		return err
	}
	return r.aspects.Revoke(ctx, u)
}

// record is the stored form of an Info.
type record struct {
	Name        string      `json:"name"`
	Actor       urn.URN     `json:"actorUrn"`
	Owner       urn.URN     `json:"ownerUrn"`
	CreatedAt   int64       `json:"createdAt"`
	ExpiresAt   *int64      `json:"expiresAt,omitempty"`
	Description string      `json:"description,omitempty"`
	Scope       *auth.Scope `json:"scope,omitempty"`
}

func (r *Records) store(ctx context.Context, id string, rec record) error {
	value, err := json.Marshal(rec)
	if err != nil {
		return fmt.Errorf("encode token %s: %w", id, err)
	}
	err = r.aspects.Write(ctx, []catalog.Proposal{{
		URN: string(tokenURN(id)), Aspect: InfoAspect, Change: model.Upsert, Value: value,
	}})
	if err != nil {
		return fmt.Errorf("store token %s: %w", id, err)
	}
	return nil
}

func tokenURN(id string) urn.URN { return urn.Make(EntityType, id) }

func (rec record) info(id string) Info {
	info := Info{ID: id, URN: tokenURN(id), Name: rec.Name, Description: rec.Description, Actor: rec.Actor, Owner: rec.Owner, CreatedAt: rec.CreatedAt, Scope: rec.Scope}
	if rec.ExpiresAt != nil {
		info.ExpiresAt = *rec.ExpiresAt
	}
	return info
}

func (r *Records) read(ctx context.Context, id string) (info Info, ok bool, err error) {
	row, err := r.aspects.Get(ctx, tokenURN(id), InfoAspect)
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

// names lists a page of the existing tokens behind the given one, in byte order.
func (r *Records) names(ctx context.Context, after urn.URN) ([]urn.URN, error) {
	urns, err := r.aspects.List(ctx, EntityType, after, listBatch)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	return urns, nil
}
