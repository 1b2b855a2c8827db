// Package datadir tells the first start on a data directory from one on a
// directory that has lost something.
//
// A service makes what it does not find. That is right at its first start; later
// it would put an empty catalog in the place of one that was not mounted, or new
// keys in the place of those that encrypt what is stored. So a mark in the directory
// says that a first start has been completed, and with which secrets, files and
// format. What is missing then is refused with the reason, unless the operator
// accepts it by name. A directory without a mark, from before there were marks
// or from a backup, is judged by what is in it, and marked.
package datadir

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/auth/secrets"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/config"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Format is the layout of the directory that this program writes. It rises when
// an older program would do harm to what a newer one has written.
const Format = 1

// Names in the directory.
const (
	StoreFile        = "catalog.db"
	SearchFolder     = "search"
	TimeseriesFolder = "timeseries"
	AuditFile        = "audit.db"
	TasksFile        = "tasks.db"
	RecordsFile      = "records.db"
	HistoryFile      = "history.json"
	SecretsFolder    = "secrets"
	MarkFile         = "data-format"
	// SetAsidePrefix begins the names of folders that hold what was put aside.
	SetAsidePrefix = "set-aside-"
	// RestoreFolder is where a backup is unpacked; once it has RestoreMark, what is in the
	// directory is being replaced.
	RestoreFolder = ".restore"
	RestoreMark   = "under-way"

	denylistFile    = "ended-sessions"
	setAsideTime    = "20060102T150405Z"
	firstPassword   = "initial-admin-password"
	privateDirMode  = 0o700
	timeseriesFiles = "*.db"
	searchFiles     = "*"
)

// Loss is something that an operator accepts to start without.
type Loss string

// Losses. NewerFormat accepts that a directory may be damaged by a program that
// is older than what wrote it.
const (
	MissingStore      Loss = "missing-store"
	MissingSecrets    Loss = "missing-secrets"
	MissingTimeseries Loss = "missing-timeseries"
	NewerFormat       Loss = "newer-format"
)

// Losses lists them all.
func Losses() []Loss { return []Loss{MissingStore, MissingSecrets, MissingTimeseries, NewerFormat} }

// Config is what is known before the directory is opened.
type Config struct {
	Path    string
	Version string // of the program, for the mark
	Accept  []Loss
	// SystemSecretGiven is set when that secret comes from elsewhere and need not be here.
	SystemSecretGiven bool
	// StoreElsewhere and TimeseriesElsewhere are set for drivers that do not keep StoreFile and
	// TimeseriesFolder here. Whether these have lost something is for the driver to tell.
	StoreElsewhere, TimeseriesElsewhere bool
	Now                                 func() time.Time
}

// Dir is a data directory that may be used.
type Dir struct {
	cfg  Config
	mark *mark // nil without one

	// Accepted names what was missing and accepted, SetAside where the remains of a lost store
	// are now.
	Accepted []Loss
	SetAside string
	// Missing names files that were there at an earlier start and are not now. The service makes
	// them anew: what they held is lost, and nothing else relies on it.
	Missing []string
	// DroppedRestore is set when what an interrupted restore had unpacked, and not put into place,
	// was removed.
	DroppedRestore bool
	// EncryptionKeyMissing is set when the encryption key alone is missing and may never have been made, as
	// programs from before marks did not all have one: the store tells.
	EncryptionKeyMissing bool
}

// mark is the content of the mark file.
type mark struct {
	Format   int      `json:"format"`
	Complete bool     `json:"complete"` // a first start has come to its end
	Version  string   `json:"version"`  // of the program that wrote the mark
	Secrets  []string `json:"secrets,omitempty"`
	// Files are the files beside the store that were there, as paths in the directory with slashes.
	Files []string `json:"files,omitempty"`
}

// Open judges a directory, which it makes if it is absent, and marks it as
// having begun its first start if that is so. Errors of kind fault.Precondition
// say what is missing, what that means, and how to accept it.
func Open(cfg Config) (*Dir, error) {
	if err := os.MkdirAll(cfg.Path, privateDirMode); err != nil {
		return nil, err
	}
	d := &Dir{cfg: cfg}
	if err := d.dropUnpacked(); err != nil {
		return nil, err
	}
	var err error
	if d.mark, err = readMark(cfg.Path); err != nil {
		return nil, err
	}
	if err := d.checkFormat(); err != nil {
		return nil, err
	}
	lost, err := d.lost()
	if err != nil {
		return nil, err
	}
	d.noteMissing()
	for _, l := range lost {
		if err := d.accept(l); err != nil {
			return nil, err
		}
	}
	if slices.Contains(d.Accepted, MissingTimeseries) {
		if err := d.dropEmptyTimeseries(); err != nil {
			return nil, fmt.Errorf("remove the empty files of the time series: %w", err)
		}
	}
	if slices.Contains(d.Accepted, MissingStore) {
		if err := d.setAside(); err != nil {
			return nil, fmt.Errorf("set the remains of the lost store aside: %w", err)
		}
		if err := d.forgetTimeseries(); err != nil {
			return nil, err
		}
	}
	if d.mark != nil || !d.cfg.StoreElsewhere && d.has(StoreFile) {
		return d, nil
	}
	d.mark = &mark{Format: Format, Version: cfg.Version}
	return d, d.write(*d.mark)
}

// dropUnpacked removes what a restore had unpacked when it was interrupted, before it
// changed anything: it takes room, and keys may be in it. One that goes on, and one that
// was interrupted while it replaced files, are refused.
func (d *Dir) dropUnpacked() error {
	if !d.has(RestoreFolder) {
		return nil
	}
	held, busy, err := disk.LockFolder(d.cfg.Path)
	switch {
	case d.has(RestoreFolder, RestoreMark):
		err = fault.New(fault.Precondition, "a restore to %s was interrupted or goes on: the files there are of two catalogs; run metadata-service restore again, which finishes it", d.cfg.Path)
	case busy:
		err = fault.New(fault.Unavailable, "a backup is restored to %s now; wait for its end", d.cfg.Path)
	case err == nil:
		err = os.RemoveAll(filepath.Join(d.cfg.Path, RestoreFolder))
		d.DroppedRestore = err == nil
	case errors.Is(err, errors.ErrUnsupported):
		err = nil // nobody can tell whether the restore goes on
	}
	if held != nil {
		err = errors.Join(err, held.Close())
	}
	return err
}

// CheckFormat refuses a directory that a newer program has written. It changes nothing.
func CheckFormat(path string) error {
	m, err := readMark(path)
	if err != nil {
		return err
	}
	return (&Dir{cfg: Config{Path: path}, mark: m}).checkFormat()
}

// Complete notes that a start has come to its end: from now on everything that
// is here is missed when it is not.
func (d *Dir) Complete() error {
	if d.mark != nil && d.mark.Format > Format {
		return nil // what the newer program has written stays
	}
	files, err := d.files()
	if err != nil {
		return err
	}
	return d.complete(files)
}

// NoteFiles adds the files that were made since Complete to what is missed when it is not
// there. It does nothing before Complete.
func (d *Dir) NoteFiles() error {
	if d.mark == nil || !d.mark.Complete || d.mark.Format > Format {
		return nil
	}
	files, err := d.files()
	if err != nil {
		return err
	}
	files = append(files, d.mark.Files...)
	slices.Sort(files)
	return d.complete(slices.Compact(files))
}

func (d *Dir) complete(files []string) error {
	next := mark{Format: Format, Complete: true, Version: d.cfg.Version, Files: files}
	for _, name := range secrets.Names() {
		if d.has(SecretsFolder, name) {
			next.Secrets = append(next.Secrets, name)
		}
	}
	if d.mark != nil && d.mark.equal(next) {
		return nil
	}
	if err := d.write(next); err != nil {
		return err
	}
	d.mark = &next
	return nil
}

func (m mark) equal(o mark) bool {
	return m.Format == o.Format && m.Complete == o.Complete && m.Version == o.Version && slices.Equal(m.Secrets, o.Secrets) && slices.Equal(m.Files, o.Files)
}

// besideStore are the files that the service makes anew when they are damaged.
var besideStore = [...]string{AuditFile, RecordsFile, TasksFile}

// files lists the files beside the store that are there, in order.
func (d *Dir) files() (found []string, err error) {
	for _, name := range besideStore {
		if d.has(name) {
			found = append(found, name)
		}
	}
	series, err := d.timeseries()
	return append(found, series...), err
}

// timeseries lists the files of the time series that are there, in order.
func (d *Dir) timeseries() (found []string, err error) {
	if d.cfg.TimeseriesElsewhere {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(escapeGlob(d.cfg.Path), TimeseriesFolder, timeseriesFiles))
	for _, file := range files {
		found = append(found, TimeseriesFolder+"/"+filepath.Base(file))
	}
	slices.Sort(found)
	return found, err
}

// lostTimeseries lists files of the time series that are missing, and those that are empty:
// one that the service has written never is.
func (d *Dir) lostTimeseries() (gone, empty []string, err error) {
	there, err := d.timeseries()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range there {
		if info, err := os.Stat(filepath.Join(d.cfg.Path, filepath.FromSlash(name))); err == nil && info.Size() == 0 {
			empty = append(empty, name)
		}
	}
	if d.mark == nil || d.cfg.TimeseriesElsewhere {
		return nil, empty, nil
	}
	for _, name := range d.mark.Files {
		if strings.HasPrefix(name, TimeseriesFolder+"/") && !slices.Contains(there, name) {
			gone = append(gone, name)
		}
	}
	return gone, empty, nil
}

// dropEmptyTimeseries removes files that hold nothing and would be taken for damaged.
func (d *Dir) dropEmptyTimeseries() error {
	_, empty, err := d.lostTimeseries()
	for _, name := range empty {
		err = errors.Join(err, os.Remove(filepath.Join(d.cfg.Path, filepath.FromSlash(name))))
	}
	return err
}

func readMark(path string) (*mark, error) {
	path = filepath.Join(path, MarkFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m mark
	if err := json.Unmarshal(text, &m); err != nil || m.Format < 1 {
		return nil, fault.Wrap(err, fault.Precondition, "%s cannot be read: it is damaged, or a newer version of the program wrote it; "+
			"use that version, or remove the file to have the directory judged by what else is in it", path)
	}
	return &m, nil
}

func (d *Dir) write(m mark) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if err := secrets.WritePrivate(filepath.Join(d.cfg.Path, MarkFile), config.Secret(text)); err != nil {
		return fmt.Errorf("mark the data directory: %w", err)
	}
	return nil
}

// loss is something missing: what it is called, and what an operator has to know.
type loss struct {
	Loss
	text string
}

func (d *Dir) checkFormat() error {
	if d.mark == nil || d.mark.Format <= Format {
		return nil
	}
	return d.accept(loss{NewerFormat, fmt.Sprintf("%s has format %d, written by version %s, and this program knows formats up to %d: it could damage the data; "+
		"use that version or a newer one", d.cfg.Path, d.mark.Format, d.mark.Version, Format)})
}

// accept refuses a loss that the operator does not accept.
func (d *Dir) accept(l loss) error {
	if !slices.Contains(d.cfg.Accept, l.Loss) {
		return fault.New(fault.Precondition, "%s; to start all the same, start once with --accept %s (or CARTULARY_ACCEPT=%s)", l.text, l.Loss, l.Loss)
	}
	if !slices.Contains(d.Accepted, l.Loss) {
		d.Accepted = append(d.Accepted, l.Loss)
	}
	return nil
}

// lost lists what should be there.
func (d *Dir) lost() ([]loss, error) {
	if d.mark != nil && !d.mark.Complete {
		return nil, nil // the first start was interrupted and goes on
	}
	switch {
	case d.cfg.StoreElsewhere && d.mark == nil:
		return nil, nil // nothing here tells whether there has been a start
	case !d.cfg.StoreElsewhere && !d.has(StoreFile):
		return d.lostStore()
	}
	var lost []loss
	if gone := d.lostSecrets(); len(gone) > 0 {
		lost = append(lost, loss{MissingSecrets, fmt.Sprintf("%s has a catalog, but not %s: new secrets would make access tokens and sessions void, "+
			"and values encrypted by the lost ones unreadable; put the files back from a backup, or mount what holds them", d.cfg.Path, strings.Join(gone, ", "))})
	}
	if d.mark != nil && !d.cfg.TimeseriesElsewhere && !d.has(TimeseriesFolder) {
		lost = append(lost, loss{MissingTimeseries, fmt.Sprintf("%s has a catalog, but not the folder %s: profiles, usage and runs are in it; "+
			"put it back from a backup, or mount what holds it", d.cfg.Path, TimeseriesFolder)})
		return lost, nil
	}
	gone, empty, err := d.lostTimeseries()
	if err != nil {
		return nil, err
	}
	if files := append(gone, empty...); len(files) > 0 {
		lost = append(lost, loss{MissingTimeseries, fmt.Sprintf("%s has a catalog, but %s, which held profiles, usage or runs, is missing or empty; "+
			"put it back from a backup", d.cfg.Path, strings.Join(files, ", "))})
	}
	return lost, nil
}

// noteMissing finds what the mark names beside the store and is gone.
func (d *Dir) noteMissing() {
	if d.mark == nil || !d.mark.Complete {
		return
	}
	for _, name := range besideStore {
		if slices.Contains(d.mark.Files, name) && !d.has(name) {
			d.Missing = append(d.Missing, name)
		}
	}
}

func (d *Dir) lostStore() ([]loss, error) {
	remains, err := d.remains()
	if err != nil || d.mark == nil && len(remains) == 0 {
		return nil, err
	}
	if d.mark != nil {
		remains = append(remains, MarkFile)
	}
	return []loss{{MissingStore, fmt.Sprintf("%s has %s, but not %s: a new and empty catalog would take the place of the one that was here; "+
		"put the file back from a backup, or mount what holds it", d.cfg.Path, strings.Join(remains, ", "), StoreFile)}}, nil
}

// remains lists what only a catalog leaves behind. The secrets that the proxy
// shares may have been put there for a first start.
func (d *Dir) remains() (found []string, err error) {
	for _, name := range []string{secrets.SigningKey, secrets.Salt, secrets.Encryption} {
		if d.has(SecretsFolder, name) {
			found = append(found, filepath.Join(SecretsFolder, name))
		}
	}
	for folder, pattern := range map[string]string{TimeseriesFolder: timeseriesFiles, SearchFolder: searchFiles} {
		files, err := filepath.Glob(filepath.Join(escapeGlob(d.cfg.Path), folder, pattern))
		if err != nil {
			return nil, err
		}
		if len(files) > 0 {
			found = append(found, folder)
		}
	}
	for _, name := range []string{denylistFile, firstPassword} {
		if d.has(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found, nil
}

// lostSecrets lists the files that the mark names, or that every catalog has.
func (d *Dir) lostSecrets() (gone []string) {
	want := []string{secrets.SigningKey, secrets.Salt, secrets.Session, secrets.Encryption}
	if !d.cfg.SystemSecretGiven {
		want = append(want, secrets.System)
	}
	if d.mark != nil {
		want = d.mark.Secrets
	}
	for _, name := range want {
		if !d.has(SecretsFolder, name) {
			gone = append(gone, filepath.Join(SecretsFolder, name))
		}
	}
	if d.mark == nil && slices.Equal(gone, []string{filepath.Join(SecretsFolder, secrets.Encryption)}) {
		d.EncryptionKeyMissing = true
		return nil
	}
	return gone
}

// RefuseEncrypted is to be called when the directory has EncryptionKeyMissing set and the store
// holds encrypted values after all: then the key has been lost.
func (d *Dir) RefuseEncrypted() error {
	return d.accept(loss{MissingSecrets, fmt.Sprintf("%s holds encrypted values, but not %s: with a new key they would be unreadable; "+
		"put the file back from a backup", d.cfg.Path, filepath.Join(SecretsFolder, secrets.Encryption))})
}

// setAside moves what belonged to a lost store out of the way. Its numbering
// would make the new store's documents look as if they were there already.
func (d *Dir) setAside() error {
	folder := filepath.Join(d.cfg.Path, SetAsidePrefix+d.cfg.Now().UTC().Format(setAsideTime))
	for _, name := range []string{SearchFolder, TimeseriesFolder} {
		if !d.has(name) {
			continue
		}
		if err := os.MkdirAll(folder, privateDirMode); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(d.cfg.Path, name), filepath.Join(folder, name)); err != nil {
			return err
		}
		d.SetAside = folder
	}
	return nil
}

// forgetTimeseries takes files that were set aside, or went with the store, out of the mark:
// a start that is interrupted now does not miss them the next time.
func (d *Dir) forgetTimeseries() error {
	if d.mark == nil || d.mark.Format > Format {
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(d.mark.Files), func(name string) bool { return strings.HasPrefix(name, TimeseriesFolder+"/") })
	if len(kept) == len(d.mark.Files) {
		return nil
	}
	d.mark.Files = kept
	return d.write(*d.mark)
}

// has tells whether something is there. What cannot be looked at is: opening it will say why not.
func (d *Dir) has(elements ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{d.cfg.Path}, elements...)...))
	return !errors.Is(err, fs.ErrNotExist)
}

// escapeGlob makes a path a pattern that matches it alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
