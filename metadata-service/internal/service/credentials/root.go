package credentials

import (
	"context"
	"crypto/rand"
	"path/filepath"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

// InitialPasswordFile is where a generated password of the administrator is
// written, in the data directory.
const InitialPasswordFile = "initial-admin-password"

// EnsureRoot sees to it that the administrator, model.RootUser, has a
// password. At the first start it is the given one, or, when that is empty, a
// generated one that is written to InitialPasswordFile. Once there is a
// password a given one changes nothing, which the log says. Call it at each
// start, after the default data is there.
func (s *Service) EnsureRoot(ctx context.Context, given config.Secret, dataDir string) error {
	ctx = auth.WithActor(ctx, auth.Actor{URN: model.SystemActor, System: true})
	stored, err := s.credentials(ctx, model.RootUser)
	if err != nil {
		return err
	}
	if stored.version != "" {
		if given != "" {
			s.cfg.Log.InfoContext(ctx, "the administrator has a password; the configured one is not used")
		}
		return nil
	}
	if len(given.Reveal()) > MaxPassword {
		return fault.New(fault.Invalid, "the administrator's password must have at most %d bytes", MaxPassword)
	}
	if given != "" {
		return s.set(ctx, model.RootUser, "", given)
	}
	generated := config.Secret(rand.Text())
	path := filepath.Join(dataDir, InitialPasswordFile)
	// The file first: after a crash in between the next start writes another one.
	if err := secrets.WritePrivate(path, generated); err != nil {
		return err
	}
	s.cfg.Log.InfoContext(ctx, "password of the administrator generated", "file", path)
	return s.set(ctx, model.RootUser, "", generated)
}
