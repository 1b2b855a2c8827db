package app

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/trail"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/service/auditlog"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/pkg/urn"
)

// minAuditBytes is the least size that leaves room for each class of events.
const minAuditBytes = 1 << 20

// checkAudit returns the invalid settings of the audit log.
func (c *Config) checkAudit() (problems []error) {
	if c.Audit.Keep < 0 {
		problems = append(problems, fmt.Errorf("audit.keep: must be 0, which is for ever, or more, is %s", c.Audit.Keep))
	}
	if n := c.Audit.MaxBytes; n != 0 && n < minAuditBytes {
		problems = append(problems, fmt.Errorf("audit.max_bytes: must be 0, which is any, or at least %d, is %d", minAuditBytes, n))
	}
	for _, name := range c.Audit.EventTypes {
		if t := audit.Type(name); !t.Known() || t.Ours() {
			problems = append(problems, fmt.Errorf("audit.event_types: %q is none of %v", name, audit.DefaultShown()))
		}
	}
	for _, actor := range c.Audit.IgnoredActors {
		if u, err := urn.Parse(actor); err != nil || u.Type() != "corpuser" {
			problems = append(problems, fmt.Errorf("audit.ignored_actors: %q is not the URN of a user such as urn:li:corpuser:jo", actor))
		}
	}
	return problems
}

// openAudit opens the audit log. If its store cannot be opened, opening is retried while the
// service runs.
func (a *App) openAudit(context.Context) error {
	if !a.cfg.Audit.Enabled {
		return nil
	}
	path := filepath.Join(a.cfg.DataDir, datadir.AuditFile)
	ignored := make([]urn.URN, len(a.cfg.Audit.IgnoredActors))
	for i, actor := range a.cfg.Audit.IgnoredActors {
		ignored[i] = urn.URN(actor)
	}
	a.audit = audit.New(audit.Config{
		Open: func() (audit.Store, error) {
			return a.files.openTrail(trail.Config{Path: path, Now: a.now, Log: a.log})
		},
		Keep: a.cfg.Audit.Keep, MaxBytes: a.cfg.Audit.MaxBytes, Ignored: ignored, Now: a.now, Log: a.log,
	})
	a.close = append(a.close, a.audit.Close)
	a.watchStorages(storage{name: "audit", state: a.audit.Condition, background: true})
	a.metrics.Audit(a.audit)
	return nil
}

func (a *App) auditSearch() *auditlog.Service {
	var shown []audit.Type
	for _, name := range a.cfg.Audit.EventTypes {
		shown = append(shown, audit.Type(name))
	}
	return auditlog.New(auditlog.Config{
		Log: a.audit, Authorizer: a.rights, Shown: shown, Aspects: slices.Clone(a.cfg.Audit.GenericAspects), Hidden: a.catalog.Hidden, Names: a.names, Now: a.now,
		Readable: func(ctx context.Context, urns []urn.URN) ([]bool, error) { return a.catalog.MayReadEach(ctx, urns, "") },
	})
}

// recordedTokens records key rotations by an operator in the audit log. A rotation does not change
// the catalog, so no change log entry reports it.
type recordedTokens struct {
	*token.Service
	events *audit.Log
}

// recordSessionsEnded records the end of a user's sessions in the audit log, like a sign-out.
func (a *App) recordSessionsEnded(ctx context.Context, user urn.URN) {
	actor, _ := auth.ActorFrom(ctx)
	a.audit.Record(ctx, audit.Event{Type: audit.EndSessions, Actor: actor.URN, Entity: user})
}

// RotateKeys implements adminsocket.Tokens.
func (t recordedTokens) RotateKeys(ctx context.Context, keep time.Duration) error {
	if err := t.Service.RotateKeys(ctx, keep); err != nil {
		return err
	}
	t.events.Record(ctx, audit.Event{Type: audit.RotateKey, Actor: model.SystemActor, Reason: "the former key stays good for " + keep.String()})
	return nil
}
