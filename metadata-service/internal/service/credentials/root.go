package credentials

import (
	"context"
	"crypto/rand"
	"path/filepath"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

// InitialPasswordFile is the file in the data directory with a generated password of the
// administrator.
const InitialPasswordFile = "initial-admin-password"

// EnsureRoot ensures that the administrator, model.RootUser, has a password. At the first start it
// sets the given one or, if that is empty, a generated one, which it writes to InitialPasswordFile.
// If a password exists, it ignores the given one and logs that. Call it at each start, after the
// default data exists.
func (s *Service) EnsureRoot(ctx context.Context, given config.Secret, dataDir string) error {
	ctx = auth.WithActor(ctx, auth.Actor{URN: model.SystemActor, System: true})
	stored, err := s.credentials(ctx, model.RootUser)
	if err != nil {
		return err
	}
	if stored.version != catalog.Absent {
		if given != "" {
			s.cfg.Log.InfoContext(ctx, "the administrator has a password; the configured one is not used")
		}
		return nil
	}
	if len(given.Reveal()) > MaxPassword {
		return fault.New(fault.Invalid, "the administrator's password must have at most %d bytes", MaxPassword)
	}
	if given != "" {
		_, err := s.set(ctx, model.RootUser, catalog.Absent, given)
		return err
	}
	generated := config.Secret(rand.Text())
	path := filepath.Join(dataDir, InitialPasswordFile)
	// The file is written first: after a crash in between, the next start writes another one.
	if err := secrets.WritePrivate(path, generated); err != nil {
		return err
	}
	s.cfg.Log.InfoContext(ctx, "password of the administrator generated", "file", path)
	_, err = s.set(ctx, model.RootUser, catalog.Absent, generated)
	return err
}
