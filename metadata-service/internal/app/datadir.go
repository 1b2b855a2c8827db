package app

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/metadata-service/internal/service/secret"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/fault"
)

// openDataDir refuses a directory that has lost a part, before the part is created again.
func (a *App) openDataDir(ctx context.Context) (err error) {
	cfg := datadir.Config{
		Path: a.cfg.DataDir, Version: a.version, Now: a.now,
		SystemSecretGiven: a.cfg.SystemSecret != "" || a.cfg.SystemSecretFile != "",
		StoreElsewhere:    a.cfg.Store.Driver != boltDriver, TimeseriesElsewhere: a.cfg.Timeseries.Driver != boltDriver,
	}
	for _, name := range a.cfg.Accept {
		cfg.Accept = append(cfg.Accept, datadir.Loss(name))
	}
	if a.dataDir, err = datadir.Open(cfg); err != nil {
		return err
	}
	if a.dataDir.DroppedRestore {
		a.log.InfoContext(ctx, "removed the files of an interrupted restore; the data is as before the restore", "data_dir", a.cfg.DataDir)
	}
	for _, loss := range a.dataDir.Accepted {
		a.log.WarnContext(ctx, "loss accepted; remove the flag or setting now", "accept", loss, "set_aside", a.dataDir.SetAside)
	}
	for _, name := range a.dataDir.Missing {
		a.log.WarnContext(ctx, "a file of the data directory is missing and an empty one replaces it; to keep its content, stop the service and restore the file from a backup",
			"file", filepath.Join(a.cfg.DataDir, name))
	}
	if len(a.cfg.Accept) > 0 && len(a.dataDir.Accepted) == 0 {
		a.log.WarnContext(ctx, "nothing is missing, the flag or setting accept can be removed", "accept", a.cfg.Accept)
	}
	return nil
}

// encryptedTypes are the entity types with values that only the encryption key decrypts.
var encryptedTypes = [...]string{secret.EntityType, secret.ConnectionType}

// checkEncrypted refuses a directory without its encryption key if the store contains encrypted
// values.
func (a *App) checkEncrypted(ctx context.Context) error {
	if !a.dataDir.EncryptionKeyMissing {
		return nil
	}
	for _, entityType := range encryptedTypes {
		found, err := a.drivers.store.Scan(ctx, store.Scan{Type: entityType, Limit: 1})
		if err != nil {
			return err
		}
		if len(found) > 0 {
			return a.dataDir.RefuseEncrypted()
		}
	}
	return nil
}

func (a *App) completeDataDir(ctx context.Context) error {
	for _, folder := range []string{a.cfg.DataDir, filepath.Join(a.cfg.DataDir, datadir.SecretsFolder)} {
		disk.RemoveAbandoned(folder, nil) // a start that was killed may have left a copy of a secret
	}
	a.close = append(a.close, a.noteFiles)
	err := a.dataDir.Complete()
	if errors.Is(err, fault.StorageFull) {
		a.log.WarnContext(ctx, "data directory is not marked as complete", "error", err)
		return nil
	}
	return err
}

// noteFiles records the files that were created while the service ran. If the disk is full, the
// next start records them.
func (a *App) noteFiles() error {
	if err := a.dataDir.NoteFiles(); err != nil && !errors.Is(err, fault.StorageFull) {
		return err
	}
	return nil
}
