package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/policy"
	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	authtoken "github.com/cartulary/cartulary/metadata-service/internal/auth/token"
	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/datadir"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	recordfile "github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/records"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/series"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/tasks"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/trail"
	"github.com/cartulary/cartulary/metadata-service/internal/history"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/metadata-service/internal/service/token"
	"github.com/cartulary/cartulary/metadata-service/internal/task"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/adminsocket"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// dataFiles holds the open files of a data directory, for backups. Files of another driver are nil;
// they must be backed up at their own location.
type dataFiles struct {
	catalog *bolt.Store
	series  *series.Store
	// The service runs without these if they cannot be opened, and may open them later.
	audit   atomic.Pointer[trail.Store]
	tasks   atomic.Pointer[tasks.Store]
	records atomic.Pointer[recordfile.Store]
}

// openTrail opens the store of the audit log, and registers it for backups.
func (f *dataFiles) openTrail(cfg trail.Config) (audit.Store, error) {
	s, err := trail.Open(cfg)
	if err != nil {
		return nil, err
	}
	f.audit.Store(s)
	return s, nil
}

// openTasks opens the store of the tasks, and registers it for backups.
func (f *dataFiles) openTasks(cfg tasks.Config) (task.Store, error) {
	s, err := tasks.Open(cfg)
	if err != nil {
		return nil, err
	}
	f.tasks.Store(s)
	return s, nil
}

// openRecords opens the store of the operational records, and registers it for backups.
func (f *dataFiles) openRecords(cfg recordfile.Config) (records.Store, error) {
	s, err := recordfile.Open(cfg)
	if err != nil {
		return nil, err
	}
	f.records.Store(s)
	return s, nil
}

// backups takes backups of a running service; adminsocket.Backups.
type backups struct{ *App }

// TakeBackup implements adminsocket.Backups. The result of a backup is stored in the history, where
// operators find the last one.
func (b backups) TakeBackup(ctx context.Context, what adminsocket.BackupScope) (adminsocket.Backup, error) {
	if what.MetadataAlone {
		taken, err := b.take(ctx, what)
		return copied{taken}, err
	}
	entry := history.Backup{Started: b.now().UnixMilli(), Secrets: !what.WithoutSecrets, To: what.To}
	taken, err := b.take(ctx, what)
	if err != nil {
		b.note(ctx, entry, err)
		return nil, err
	}
	entry.Sequence, entry.DataBytes = taken.Manifest.Sequence, taken.Manifest.Bytes()
	return &recordedBackup{Taken: taken, of: b, entry: entry}, nil
}

// copied is a copy of the metadata only. It does not count as a backup and is not recorded.
type copied struct{ *backup.Taken }

func (copied) End(context.Context, error) {}

// recordedBackup is a backup whose end is recorded.
type recordedBackup struct {
	*backup.Taken
	of backups

	mu    sync.Mutex
	entry history.Backup
	ended bool
}

// WriteTo sends the backup to the client. The backup is not complete when all of it was sent: the
// client, which writes it to a disk, reports its end.
func (n *recordedBackup) WriteTo(ctx context.Context, w io.Writer) error {
	counted := &counter{to: w}
	err := n.Taken.WriteTo(ctx, counted)
	n.mu.Lock()
	n.entry.Bytes = counted.bytes
	n.mu.Unlock()
	if err != nil {
		n.End(ctx, err)
	}
	return err
}

// End records the result of the backup at its first call: client and connection may both report a
// failure.
func (n *recordedBackup) End(ctx context.Context, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.ended {
		n.ended = true
		n.of.note(ctx, n.entry, err)
	}
}

// note records the end of a backup. A failure to record it does not make the backup fail.
func (b backups) note(ctx context.Context, entry history.Backup, err error) {
	entry.Ended = b.now().UnixMilli()
	if err != nil {
		entry.Error = storageTrouble(err)
	}
	if err := b.history.AddBackup(entry); err != nil {
		b.log.WarnContext(ctx, "the end of a backup was not written down", "error", err)
	}
}

type counter struct {
	to    io.Writer
	bytes int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.bytes += int64(n)
	return n, err
}

func (b backups) take(ctx context.Context, what adminsocket.BackupScope) (*backup.Taken, error) {
	a := b.App
	if a.files.catalog == nil || a.files.series == nil {
		return nil, fault.New(fault.Unsupported, "store and time series are kept by other drivers than %s, and are backed up where they lie", boltDriver)
	}
	if err := errors.Join(a.audit.Flush(ctx), a.files.series.Prepare(ctx)); err != nil {
		return nil, err
	}
	withSecrets := !what.WithoutSecrets && !what.MetadataAlone
	sources, sequence, err := a.files.sources(ctx, a.cfg.DataDir, what.MetadataAlone)
	if err != nil {
		return nil, err
	}
	private, err := privateSources(a.cfg.DataDir, withSecrets)
	if err != nil {
		return nil, errors.Join(err, closeSources(sources))
	}
	taken, err := backup.Take(ctx, backup.Config{
		Spool: a.cfg.DataDir, Version: a.version, Sequence: sequence, Secrets: withSecrets, Now: a.now,
	}, append(sources, private...))
	if err != nil {
		return nil, err
	}
	with := "without secrets"
	switch {
	case what.MetadataAlone:
		with = "metadata alone, for an export"
	case withSecrets:
		with = "with secrets"
	}
	a.audit.Record(ctx, audit.Event{Type: audit.TakeBackup, Actor: model.SystemActor, Reason: fmt.Sprintf("%s, up to change %d", with, sequence)})
	a.log.InfoContext(ctx, "backup taken", "sequence", sequence, "bytes", taken.Manifest.Bytes(), "files", len(taken.Manifest.Members), "secrets", withSecrets)
	return taken, nil
}

// snapshot is an open snapshot of a file.
type snapshot interface {
	Size() int64
	WriteTo(w io.Writer) (int64, error)
	Close() error
}

func source(name string, s snapshot) backup.Source {
	return backup.Source{Name: name, Size: s.Size(), WriteTo: s.WriteTo, Close: s.Close}
}

func closeSources(sources []backup.Source) error {
	var errs []error
	for _, s := range sources {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}

// sources captures the state of all files while no write to the catalog runs. The time series and
// the audit log therefore contain no change after the snapshot of the catalog, and all changes up
// to their positions in it. They recover the rest from its change log. If alone is set, the result
// contains only the catalog and its time series.
func (f *dataFiles) sources(ctx context.Context, dir string, alone bool) (all []backup.Source, sequence uint64, err error) {
	var others []backup.Source
	store, sequence, err := f.catalog.Snapshot(ctx, func() (err error) {
		others, err = f.otherSources(ctx, dir, alone)
		return err
	})
	if err != nil {
		return nil, 0, errors.Join(err, closeSources(others))
	}
	return append([]backup.Source{source(datadir.StoreFile, store)}, others...), sequence, nil
}

// otherSources captures the state of the files other than the catalog; if alone is set, only the
// time series.
func (f *dataFiles) otherSources(ctx context.Context, dir string, alone bool) (all []backup.Source, err error) {
	indices, err := f.series.Snapshots(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range indices {
		all = append(all, source(path.Join(datadir.TimeseriesFolder, s.File), s))
	}
	if alone {
		return all, nil
	}
	for _, file := range []struct {
		name string
		take func() (snapshot, error)
	}{
		{datadir.AuditFile, func() (snapshot, error) { return snapshotOf(f.audit.Load(), filepath.Join(dir, datadir.AuditFile)) }},
		{datadir.TasksFile, func() (snapshot, error) { return snapshotOf(f.tasks.Load(), filepath.Join(dir, datadir.TasksFile)) }},
		{datadir.RecordsFile, func() (snapshot, error) {
			return snapshotOf(f.records.Load(), filepath.Join(dir, datadir.RecordsFile))
		}},
	} {
		s, err := file.take()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return all, fmt.Errorf("read %s: %w", file.name, err)
		}
		all = append(all, source(file.name, s))
	}
	return all, nil
}

// snapshotOf captures the state of an open file, or of a file that is not open: the audit log may
// be switched off.
func snapshotOf[S interface {
	*trail.Store | *tasks.Store | *recordfile.Store
	Snapshot() (*bolt.Snapshot, error)
}](open S, path string) (snapshot, error) {
	if open == nil {
		return bolt.SnapshotFile(path)
	}
	return open.Snapshot()
}

// privateSources returns the small files of a data directory.
func privateSources(dir string, withSecrets bool) (all []backup.Source, err error) {
	names := []string{datadir.MarkFile}
	if withSecrets {
		for _, name := range secrets.Names() {
			names = append(names, path.Join(datadir.SecretsFolder, name))
		}
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the secret is configured elsewhere
		}
		if err != nil {
			return nil, err
		}
		all = append(all, backup.Source{
			Name: name, Size: int64(len(text)), Close: func() error { return nil },
			WriteTo: func(w io.Writer) (int64, error) {
				n, err := w.Write(text)
				return int64(n), err
			},
		})
	}
	return all, nil
}

// RestoreConfig configures Restore.
type RestoreConfig struct {
	From    io.Reader
	Into    string
	Replace bool // the existing content may be moved aside
	// KeepTasks lets unfinished tasks continue at the next start. Otherwise they are cancelled: a
	// truncation, for example, would again delete the data that the backup restores.
	KeepTasks bool
	Log       *slog.Logger
	// Progress may be nil.
	Progress backup.Progress
}

// Restored is the result of Restore.
type Restored struct {
	Manifest backup.Manifest
	// Finished is set if Restore only finished an interrupted restore.
	Finished bool
	// Aside is the new location of the former content of the directory, empty if there was none.
	Aside string
	// Tokens and Sessions count those of the backup that were revoked or ended in the replaced
	// directory, and stay so.
	Tokens, Sessions int
	// Tasks counts the tasks of the backup that had not ended.
	Tasks int
	// KeptSigningKey is set if the replaced directory had a newer signing key, which stays in use.
	// KeptSecrets is set if its secrets stay in use because the backup has none.
	KeptSigningKey, KeptSecrets bool
	// Unread is the reason why the revocations of the replaced directory could not be read, or nil.
	Unread error
}

// Restore creates a data directory from a backup. It changes nothing in the existing directory
// until the whole backup has been read and every checksum verified. It refuses a directory in use
// by a service with an error of kind fault.Unavailable.
//
// Revocations in the replaced directory stay in effect: revoked tokens, ended sessions, and
// replaced signing keys.
func Restore(ctx context.Context, cfg RestoreConfig) (done Restored, err error) {
	target := backup.Target{Dir: cfg.Into, Replace: cfg.Replace, Now: time.Now}
	// Stays open to the end, so that no service can start on the directory during the restore.
	former, unread, err := openFormer(ctx, cfg.Into)
	if err != nil {
		return done, err
	}
	if former != nil {
		defer func() { err = errors.Join(err, former.Close()) }()
	}
	staged, finished, err := target.Stage(ctx, cfg.From, cfg.Progress)
	if err != nil {
		return done, err
	}
	if finished != nil {
		return Restored{Manifest: *finished, Finished: true}, nil
	}
	defer func() { err = errors.Join(err, staged.Close()) }()
	done.Manifest, done.Unread = staged.Manifest, unread
	if done.KeptSecrets, done.KeptSigningKey, err = mergeSecrets(staged.Folder(), cfg.Into); err != nil {
		return done, err
	}
	if former != nil {
		if done.Tokens, done.Sessions, err = mergeRevocations(ctx, staged.Folder(), former, cfg.Log); err != nil {
			return done, fmt.Errorf("apply the revocations since the backup: %w", err)
		}
	}
	if done.Tasks, err = settleTasks(ctx, filepath.Join(staged.Folder(), datadir.TasksFile), cfg); err != nil {
		return done, fmt.Errorf("look after the tasks of the backup: %w", err)
	}
	done.Aside, err = staged.Publish()
	return done, err
}

// settleTasks counts the unfinished tasks of an unpacked backup, and cancels them unless
// cfg.KeepTasks is set.
func settleTasks(ctx context.Context, file string, cfg RestoreConfig) (n int, err error) {
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	store, err := tasks.Open(tasks.Config{Path: file, Now: time.Now, Log: cfg.Log})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	if cfg.KeepTasks {
		_, n, err = store.List(ctx, task.Query{States: task.Unended()})
		return n, err
	}
	return task.CancelUnended(ctx, store, time.Now(), "the backup that held the task was restored without its unended tasks; start it again if it is still wanted")
}

// openFormer opens the catalog to be replaced, or returns nil if there is none. unread is the
// reason if the catalog cannot be read, which may be why it is replaced.
func openFormer(ctx context.Context, dir string) (former *bolt.Store, unread, err error) {
	file := filepath.Join(dir, datadir.StoreFile)
	if _, err := os.Stat(file); err != nil {
		return nil, nil, nil // later steps check whether the directory is usable
	}
	former, err = bolt.Open(ctx, file, bolt.Config{})
	if fault.KindOf(err) == fault.Unavailable {
		return nil, nil, err
	}
	if err != nil {
		return nil, err, nil
	}
	return former, nil, nil
}

// mergeSecrets takes over secrets of the replaced directory: all if the backup has none, and the
// signing key if both directories have the same salt, that is, belong to one installation. The key
// of the directory is at least as new as that of the backup, and signatures by replaced keys must
// stay invalid.
func mergeSecrets(staged, former string) (all, key bool, err error) {
	from := func(dir, name string) string { return filepath.Join(dir, datadir.SecretsFolder, name) }
	read := func(dir, name string) string {
		text, _ := secrets.ReadFile(from(dir, name)) // an unreadable secret counts as absent
		return text.Reveal()
	}
	take := func(name string) (bool, error) {
		text, err := secrets.ReadFile(from(former, name))
		if err != nil {
			return false, nil
		}
		if err := os.MkdirAll(filepath.Join(staged, datadir.SecretsFolder), 0o700); err != nil {
			return false, err
		}
		return true, secrets.WritePrivate(from(staged, name), text)
	}
	if _, err := os.Stat(filepath.Join(staged, datadir.SecretsFolder)); errors.Is(err, fs.ErrNotExist) {
		for _, name := range secrets.Names() {
			taken, err := take(name)
			if err != nil {
				return all, false, err
			}
			all = all || taken
		}
		return all, false, nil
	}
	salt, signing := read(staged, secrets.Salt), read(former, secrets.SigningKey)
	if salt == "" || salt != read(former, secrets.Salt) || signing == "" || signing == read(staged, secrets.SigningKey) {
		return false, false, nil
	}
	key, err = take(secrets.SigningKey)
	return false, key, err
}

// mergeRevocations revokes tokens and ends sessions in an unpacked backup that are revoked or ended
// in the former catalog.
func mergeRevocations(ctx context.Context, folder string, former *bolt.Store, log *slog.Logger) (revoked, ended int, err error) {
	registry, err := model.Load()
	if err != nil {
		return 0, 0, err
	}
	rows, err := bolt.Open(ctx, filepath.Join(folder, datadir.StoreFile), bolt.Config{})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	documents, err := series.Open(filepath.Join(folder, datadir.TimeseriesFolder), series.Config{})
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, documents.Close()) }()
	managed := func(rows *bolt.Store) *catalog.Managed {
		return catalog.New(catalog.Config{
			Registry: registry, Store: rows, Graph: rows, Documents: documents, Follower: &follower{},
			Authorizer: policy.New(policy.Config{Rows: rows, Off: true}), Now: time.Now, Log: log,
		}).Managed(token.KeyAspect, token.InfoAspect)
	}
	before, after := managed(former), managed(rows)
	for last := urn.URN(""); ; {
		page, next, err := before.Revoked(ctx, token.EntityType, last)
		if err != nil {
			return revoked, 0, err
		}
		for _, u := range page {
			there, err := after.Get(ctx, u, token.KeyAspect)
			if err != nil {
				return revoked, 0, err
			}
			if there == nil {
				continue
			}
			if err := after.Revoke(asSystem(ctx), u); err != nil {
				return revoked, 0, err
			}
			revoked++
		}
		if last = next; last == "" {
			break
		}
	}
	ended, err = mergeSessions(ctx, rows, former)
	return revoked, ended, err
}

func mergeSessions(ctx context.Context, rows, former *bolt.Store) (int, error) {
	known, list := authtoken.NewDenylist(former, time.Now), authtoken.NewDenylist(rows, time.Now)
	if err := errors.Join(known.Load(ctx), list.Load(ctx)); err != nil {
		return 0, err
	}
	return list.Merge(ctx, known)
}
