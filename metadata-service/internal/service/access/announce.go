package access

import (
	"context"
	"log/slog"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// announcement is the entity that records that Announce has run in this catalog.
const announcement urn.URN = "urn:li:dataHubUpgrade:policies-decide"

const announcementAspect = "dataHubUpgradeResult"

// decidingSince returns the time at which policies began to decide in this catalog, in epoch
// milliseconds, or 0 if it is not recorded yet.
func (s *Service) decidingSince(ctx context.Context) (int64, error) {
	value, err := s.edit.Stored(ctx, announcement, announcementAspect)
	if err != nil || value == nil {
		return 0, err
	}
	return jsontree.Int(value, "timestampMs"), nil
}

// Limits of the announcement: the number of examined users, since the start of the service waits
// for it, and the number of logged entries of each list.
const (
	maxAnnounced = 2000
	maxLines     = 20
)

// Announce logs, once in the life of a catalog, the operations that users and tokens lost when
// policies began to decide, and the memberships that users gave themselves before. If there are
// none, it only writes the announcement entity. The actor in ctx is the service itself.
func (s *Service) Announce(ctx context.Context, log *slog.Logger) error {
	if !s.engine.Enabled() {
		return nil
	}
	done, err := s.decidingSince(ctx)
	if err != nil || done > 0 {
		return err
	}
	r, err := s.report(ctx, maxAnnounced)
	if err != nil {
		return err
	}
	if !r.Empty() {
		r.log(ctx, log)
	}
	value := jsontree.Encode(model.Object{"state": "SUCCEEDED", "timestampMs": jsontree.Number(s.edit.Now().UnixMilli())})
	_, err = s.edit.Catalog.Write(ctx, []catalog.Proposal{{URN: string(announcement), Change: model.Upsert, Aspect: announcementAspect, Value: value}}, catalog.WriteOptions{Upgrade: true})
	return err
}

func (r *Report) log(ctx context.Context, log *slog.Logger) {
	log.WarnContext(ctx, "policies are enforced from now on, and some users lose privileges; metadata-service access report lists the losses, docs/api/policies.md describes how to grant privileges",
		"users", r.Users, "complete", r.Complete, "losses", len(r.Losses), "tokens", len(r.Tokens), "memberships", len(r.Memberships))
	for _, l := range r.Losses {
		log.WarnContext(ctx, "users can no longer do this", "what", l.What, "users", l.Users, "examples", l.Examples, "grant", joinNames(l.Privileges))
	}
	for _, t := range r.Tokens[:min(len(r.Tokens), maxLines)] {
		log.WarnContext(ctx, "access tokens can no longer ingest some types", "actor", t.Actor, "tokens", t.Tokens, "types", len(t.Types))
	}
	for _, m := range r.Memberships[:min(len(r.Memberships), maxLines)] {
		log.WarnContext(ctx, "a user assigned this to itself before policies were enforced; remove it if that was not intended", "holder", m.Holder, "aspect", m.What, "of", m.Of, "by", m.By)
	}
}
