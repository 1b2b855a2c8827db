package adminsocket

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Backups takes backups of the service.
type Backups interface {
	TakeBackup(ctx context.Context, what BackupScope) (Backup, error)
}

// BackupScope says what a backup is without. The zero value has everything.
type BackupScope struct {
	WithoutSecrets bool
	// MetadataAlone leaves out secrets, audit log and tasks: the copy is to be read and not to
	// be restored.
	MetadataAlone bool
}

// Backup is a backup that is complete and waits to be handed on; backup.Taken is one.
type Backup interface {
	WriteTo(ctx context.Context, w io.Writer) error
	Close() error
}

// OfferBackups lets clients have backups. They are taken one at a time; who comes
// meanwhile waits. It is called before Run.
func (s *Server) OfferBackups(backups Backups) {
	turn := make(chan struct{}, 1)
	s.mux.HandleFunc("POST /backup", func(w http.ResponseWriter, r *http.Request) {
		taken, err := takeBackup(w, r, backups, turn)
		if err != nil {
			s.refuseBackup(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/zstd")
		if err := errors.Join(taken.WriteTo(r.Context(), w), taken.Close()); err != nil {
			s.log.WarnContext(r.Context(), "backup not handed on", "error", err)
			panic(http.ErrAbortHandler) // so that the client does not take it for complete
		}
	})
}

func takeBackup(w http.ResponseWriter, r *http.Request, backups Backups, turn chan struct{}) (Backup, error) {
	var in BackupScope
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in); err != nil {
		return nil, unreadable(err)
	}
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
		return backups.TakeBackup(r.Context(), in)
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

func (s *Server) refuseBackup(w http.ResponseWriter, r *http.Request, err error) {
	s.log.LogAttrs(r.Context(), slog.LevelWarn, "no backup was taken", slog.Any("error", err))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(fault.KindOf(err).Status())
	_ = json.NewEncoder(w).Encode(failure{Error: fault.Message(err), Kind: fault.KindOf(err)}) // the client may be gone
}

// OpenBackup takes a backup, for the caller to read and to close. One that ends early is
// io.ErrUnexpectedEOF, and its manifest and checksums tell the same.
func (c *Client) OpenBackup(ctx context.Context, what BackupScope) (io.ReadCloser, error) {
	body, err := json.Marshal(what)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://service/backup", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	// Without a time limit: a backup takes as long as its reader does.
	res, err := (&http.Client{Transport: c.http.Transport}).Do(r)
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "the service on %s did not answer", c.dataDir)
	}
	if res.StatusCode != http.StatusOK {
		return nil, errors.Join(refused(res), res.Body.Close())
	}
	return res.Body, nil
}

// Backup takes a backup and writes it to out while every checksum of it is compared. An
// error of out is returned as it is.
func (c *Client) Backup(ctx context.Context, out io.Writer, withoutSecrets bool, progress backup.Progress) (m backup.Manifest, err error) {
	from, err := c.OpenBackup(ctx, BackupScope{WithoutSecrets: withoutSecrets})
	if err != nil {
		return m, err
	}
	defer from.Close() //nolint:errcheck // only read
	copied := &tee{from: from, to: out}
	m, err = backup.Check(ctx, copied, progress)
	if err == nil {
		_, err = io.Copy(io.Discard, copied)
	}
	if copied.failed != nil {
		return m, copied.failed
	}
	if err != nil {
		return m, fault.Wrap(err, fault.Unavailable, "the service on %s ended the backup early; its log says why", c.dataDir)
	}
	return m, nil
}

// tee writes what is read to another place, and remembers when that failed.
type tee struct {
	from   io.Reader
	to     io.Writer
	bytes  int64
	failed error
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	if n > 0 {
		if _, t.failed = t.to.Write(p[:n]); t.failed != nil {
			return 0, t.failed
		}
	}
	t.bytes += int64(n)
	return n, err
}

const backupUsage = `Take a backup of a metadata service that runs on this machine.

  backup [--out FILE|-] [--without-secrets]
        write all data, as of one moment, to a file that is not there yet, or to
        the standard output; the service goes on reading and writing
        --out              by default cartulary-TIME.tar.zst in this directory
        --without-secrets  leave out keys and salt. With them, whoever reads the
                           file can sign tokens and decrypt secrets; without them
                           it is of use with the secrets of this service alone

"metadata-service restore" makes a data directory of it again, and
"metadata-service verify" can tell whether it is whole.

It takes --data-dir DIR, the data directory of the service (default %s).
`

// RunBackup runs "backup" against the running service; args start after it. The file
// gets its name when it is complete. Wrong arguments are fault.Malformed.
func RunBackup(ctx context.Context, defaultDataDir string, args []string, stdout, stderr io.Writer) error {
	c := &command{flags: flag.NewFlagSet("backup", flag.ContinueOnError), out: stdout, notes: stderr}
	c.flags.SetOutput(io.Discard)
	c.flags.StringVar(&c.dataDir, "data-dir", defaultDataDir, "")
	out := c.flags.String("out", time.Now().UTC().Format("cartulary-20060102T150405Z.tar.zst"), "")
	without := c.flags.Bool("without-secrets", false, "")
	rest, err := c.parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp) || len(rest) > 0 && rest[0] == "help":
		_, err = fmt.Fprintf(stdout, backupUsage, defaultDataDir)
		return err
	case err != nil:
		return err
	case len(rest) > 0:
		return fault.New(fault.Malformed, "backup does not take %.60q; name a file with --out", rest[0])
	case *out == "":
		return fault.New(fault.Malformed, "--out needs the name of a file, or -")
	}
	client, err := Dial(ctx, c.dataDir)
	if err != nil {
		return err
	}
	if *out == "-" {
		const name = "the standard output"
		return disk.TranslateAt(c.backup(ctx, client, stdout, *without, name), name)
	}
	return disk.WriteComplete(*out, stderr, func(f io.Writer) error { return c.backup(ctx, client, f, *without, *out) })
}

func (c *command) backup(ctx context.Context, client *Client, to io.Writer, withoutSecrets bool, name string) error {
	progress := backup.NewProgress(c.notes)
	began := time.Now()
	m, err := client.Backup(ctx, to, withoutSecrets, progress)
	if progress != nil {
		fmt.Fprintln(c.notes)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.notes, "backup up to change %d: %d files of %.1f MiB in %s, to %s\n",
		m.Sequence, len(m.Members), float64(m.Bytes())/(1<<20), time.Since(began).Round(time.Millisecond), name)
	remark := "it holds the keys of this service: keep it as safe as the data directory"
	if withoutSecrets {
		remark = "it holds no keys: keep those in secrets/ of the data directory apart, without them tokens are void and encrypted values lost"
	}
	_, err = fmt.Fprintln(c.notes, remark)
	return err
}
