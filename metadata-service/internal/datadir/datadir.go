// Package datadir distinguishes the first start on a data directory from a start on a directory
// that has lost data.
//
// A service creates the files that it does not find. That is right at its first start. At a later
// start it would put an empty catalog in the place of one that was not mounted, or new keys in the
// place of those that encrypt stored values. Therefore a mark in the directory records that a first
// start has been completed, with the secrets, files and format of the directory. Open refuses
// missing files with the reason, unless the operator accepts the loss by name. A directory without
// a mark, from a time before marks or from a backup, is judged by its content, and marked.
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

// Format is the layout of the directory that this program writes. It increases when an older
// program would damage data of a newer one.
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
	// SetAsidePrefix is the prefix of folders with content that was set aside.
	SetAsidePrefix = "set-aside-"
	// RestoreFolder is the folder that a backup is unpacked to; it contains RestoreMark while the
	// content of the directory is being replaced.
	RestoreFolder = ".restore"
	RestoreMark   = "under-way"

	denylistFile    = "ended-sessions"
	setAsideTime    = "20060102T150405Z"
	firstPassword   = "initial-admin-password"
	privateDirMode  = 0o700
	timeseriesFiles = "*.db"
	searchFiles     = "*"
)

// Loss is a loss that an operator accepts for a start.
type Loss string

// Losses. NewerFormat accepts that a program older than the one that wrote the directory may damage
// it.
const (
	MissingStore      Loss = "missing-store"
	MissingSecrets    Loss = "missing-secrets"
	MissingTimeseries Loss = "missing-timeseries"
	NewerFormat       Loss = "newer-format"
)

// Losses lists all losses that can be accepted.
func Losses() []Loss { return []Loss{MissingStore, MissingSecrets, MissingTimeseries, NewerFormat} }

// Config holds the settings for opening the directory.
type Config struct {
	Path    string
	Version string // version of the program, for the mark
	Accept  []Loss
	// SystemSecretGiven is set if the system secret comes from elsewhere and need not be in the
	// directory.
	SystemSecretGiven bool
	// StoreElsewhere and TimeseriesElsewhere are set for drivers that do not keep StoreFile and
	// TimeseriesFolder in the directory. These drivers must detect losses themselves.
	StoreElsewhere, TimeseriesElsewhere bool
	Now                                 func() time.Time
}

// Dir is a data directory that the service may use.
type Dir struct {
	cfg  Config
	mark *mark // nil without a mark

	// Accepted lists the accepted losses. SetAside is the folder with the remains of a lost store.
	Accepted []Loss
	SetAside string
	// Missing names files of an earlier start that are missing now. The service creates them again:
	// their content is lost, and no other file depends on it.
	Missing []string
	// DroppedRestore is set if Open has removed the files that an interrupted restore had unpacked
	// but not put into place.
	DroppedRestore bool
	// EncryptionKeyMissing is set if only the encryption key is missing and may never have existed,
	// because not all programs before the introduction of marks had one. The store determines
	// whether it is lost.
	EncryptionKeyMissing bool
}

// mark is the content of the mark file.
type mark struct {
	Format   int      `json:"format"`
	Complete bool     `json:"complete"` // a first start has been completed
	Version  string   `json:"version"`  // version of the program that wrote the mark
	Secrets  []string `json:"secrets,omitempty"`
	// Files are the files beside the store that existed, as paths in the directory with slashes.
	Files []string `json:"files,omitempty"`
}

// Open checks a directory and creates it if it is absent. It marks a directory at its first start.
// Errors of kind fault.Precondition name the missing files, the consequences, and the way to accept
// the loss.
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
	lost, err := d.losses()
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
	if d.mark != nil || !d.cfg.StoreElsewhere && d.exists(StoreFile) {
		return d, nil
	}
	d.mark = &mark{Format: Format, Version: cfg.Version}
	return d, d.write(*d.mark)
}

// dropUnpacked removes the files that a restore had unpacked when it was interrupted before it
// changed anything: they take space and may contain keys. It fails if a restore is running, or was
// interrupted while it replaced files.
func (d *Dir) dropUnpacked() error {
	if !d.exists(RestoreFolder) {
		return nil
	}
	held, busy, err := disk.LockFolder(d.cfg.Path)
	switch {
	case d.exists(RestoreFolder, RestoreMark):
		err = fault.New(fault.Precondition, "a restore to %s was interrupted or goes on: the files there are of two catalogs; run metadata-service restore again, which finishes it", d.cfg.Path)
	case busy:
		err = fault.New(fault.Unavailable, "a backup is restored to %s now; wait for its end", d.cfg.Path)
	case err == nil:
		err = os.RemoveAll(filepath.Join(d.cfg.Path, RestoreFolder))
		d.DroppedRestore = err == nil
	case errors.Is(err, errors.ErrUnsupported):
		err = nil // without locks a running restore cannot be detected
	}
	if held != nil {
		err = errors.Join(err, held.Close())
	}
	return err
}

// CheckFormat fails if a newer program has written the directory. It changes nothing.
func CheckFormat(path string) error {
	m, err := readMark(path)
	if err != nil {
		return err
	}
	return (&Dir{cfg: Config{Path: path}, mark: m}).checkFormat()
}

// Complete records that a start has been completed: later starts report the present files if they
// are missing.
func (d *Dir) Complete() error {
	if d.mark != nil && d.mark.Format > Format {
		return nil // the mark of the newer program is kept
	}
	files, err := d.files()
	if err != nil {
		return err
	}
	return d.complete(files)
}

// NoteFiles adds the files created since Complete to those that later starts report if they are
// missing. It does nothing before Complete.
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
		if d.exists(SecretsFolder, name) {
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

// secondaryFiles are the files that the service creates again if they are damaged.
var secondaryFiles = [...]string{AuditFile, RecordsFile, TasksFile}

// files lists the existing files beside the store, in order.
func (d *Dir) files() (found []string, err error) {
	for _, name := range secondaryFiles {
		if d.exists(name) {
			found = append(found, name)
		}
	}
	series, err := d.timeseries()
	return append(found, series...), err
}

// timeseries lists the existing time-series files, in order.
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

// lostTimeseries lists missing and empty time-series files. A file written by the service is never
// empty.
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

// dropEmptyTimeseries removes empty files, which the driver would treat as damaged.
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
			"use that version, or remove the file so that the other files of the directory decide", path)
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

// loss is a missing part of the directory: its name, and a text for the operator.
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

// accept fails if the operator does not accept a loss.
func (d *Dir) accept(l loss) error {
	if !slices.Contains(d.cfg.Accept, l.Loss) {
		return fault.New(fault.Precondition, "%s; to start all the same, start once with --accept %s (or CARTULARY_ACCEPT=%s)", l.text, l.Loss, l.Loss)
	}
	if !slices.Contains(d.Accepted, l.Loss) {
		d.Accepted = append(d.Accepted, l.Loss)
	}
	return nil
}

// losses lists the missing parts of the directory.
func (d *Dir) losses() ([]loss, error) {
	if d.mark != nil && !d.mark.Complete {
		return nil, nil // the first start was interrupted and continues
	}
	switch {
	case d.cfg.StoreElsewhere && d.mark == nil:
		return nil, nil // without a mark nothing shows whether there was a start
	case !d.cfg.StoreElsewhere && !d.exists(StoreFile):
		return d.lostStore()
	}
	var lost []loss
	if gone := d.lostSecrets(); len(gone) > 0 {
		lost = append(lost, loss{MissingSecrets, fmt.Sprintf("%s has a catalog, but not %s: new secrets would make access tokens and sessions void, "+
			"and values encrypted by the lost ones unreadable; restore the files from a backup, or mount the volume that holds them", d.cfg.Path, strings.Join(gone, ", "))})
	}
	if d.mark != nil && !d.cfg.TimeseriesElsewhere && !d.exists(TimeseriesFolder) {
		lost = append(lost, loss{MissingTimeseries, fmt.Sprintf("%s has a catalog, but not the folder %s: profiles, usage and runs are in it; "+
			"restore it from a backup, or mount the volume that holds it", d.cfg.Path, TimeseriesFolder)})
		return lost, nil
	}
	gone, empty, err := d.lostTimeseries()
	if err != nil {
		return nil, err
	}
	if files := append(gone, empty...); len(files) > 0 {
		lost = append(lost, loss{MissingTimeseries, fmt.Sprintf("%s has a catalog, but %s, which held profiles, usage or runs, is missing or empty; "+
			"restore it from a backup", d.cfg.Path, strings.Join(files, ", "))})
	}
	return lost, nil
}

// noteMissing finds the files beside the store that the mark names and that are missing.
func (d *Dir) noteMissing() {
	if d.mark == nil || !d.mark.Complete {
		return
	}
	for _, name := range secondaryFiles {
		if slices.Contains(d.mark.Files, name) && !d.exists(name) {
			d.Missing = append(d.Missing, name)
		}
	}
}

func (d *Dir) lostStore() ([]loss, error) {
	remains, err := d.catalogRemains()
	if err != nil || d.mark == nil && len(remains) == 0 {
		return nil, err
	}
	if d.mark != nil {
		remains = append(remains, MarkFile)
	}
	return []loss{{MissingStore, fmt.Sprintf("%s has %s, but not %s: a new and empty catalog would replace the missing one; "+
		"restore the file from a backup, or mount the volume that holds it", d.cfg.Path, strings.Join(remains, ", "), StoreFile)}}, nil
}

// catalogRemains lists files that only a catalog writes. Secrets shared with the proxy are excluded,
// because an operator may have put them there for a first start.
func (d *Dir) catalogRemains() (found []string, err error) {
	for _, name := range []string{secrets.SigningKey, secrets.Salt, secrets.Encryption} {
		if d.exists(SecretsFolder, name) {
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
		if d.exists(name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found, nil
}

// lostSecrets lists the missing secrets among those that the mark names, or that every catalog has.
func (d *Dir) lostSecrets() (gone []string) {
	want := []string{secrets.SigningKey, secrets.Salt, secrets.Session, secrets.Encryption}
	if !d.cfg.SystemSecretGiven {
		want = append(want, secrets.System)
	}
	if d.mark != nil {
		want = d.mark.Secrets
	}
	for _, name := range want {
		if !d.exists(SecretsFolder, name) {
			gone = append(gone, filepath.Join(SecretsFolder, name))
		}
	}
	if d.mark == nil && slices.Equal(gone, []string{filepath.Join(SecretsFolder, secrets.Encryption)}) {
		d.EncryptionKeyMissing = true
		return nil
	}
	return gone
}

// RefuseEncrypted is for a directory with EncryptionKeyMissing whose store turns out to contain
// encrypted values, which means that the key is lost. It returns fault.Precondition unless the
// operator accepts MissingSecrets.
func (d *Dir) RefuseEncrypted() error {
	return d.accept(loss{MissingSecrets, fmt.Sprintf("%s holds encrypted values, but not %s: with a new key they would be unreadable; "+
		"put the file back from a backup", d.cfg.Path, filepath.Join(SecretsFolder, secrets.Encryption))})
}

// setAside moves the files that belong to a lost store away. The positions in them would make the
// documents of the new store appear as already present.
func (d *Dir) setAside() error {
	folder := filepath.Join(d.cfg.Path, SetAsidePrefix+d.cfg.Now().UTC().Format(setAsideTime))
	for _, name := range []string{SearchFolder, TimeseriesFolder} {
		if !d.exists(name) {
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

// forgetTimeseries removes the time-series files that were set aside, or lost with the store, from
// the mark: if this start is interrupted, the next one does not report them.
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

// exists reports whether a file exists. A file that cannot be examined counts as existing: opening
// it returns the reason.
func (d *Dir) exists(elements ...string) bool {
	_, err := os.Stat(filepath.Join(append([]string{d.cfg.Path}, elements...)...))
	return !errors.Is(err, fs.ErrNotExist)
}

// escapeGlob converts a path to a pattern that matches only it.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
