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
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/backup"
	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

// Backups takes backups of the service.
type Backups interface {
	TakeBackup(ctx context.Context, what BackupScope) (Backup, error)
}

// BackupScope states the parts that a backup omits. The zero value omits none.
type BackupScope struct {
	WithoutSecrets bool
	// MetadataAlone omits secrets, audit log and tasks: the copy is for reading, not for
	// restoring.
	MetadataAlone bool
	// To is the path of the backup, for the list of backups.
	To string
}

// Backup is a complete backup that a client has not received yet.
type Backup interface {
	WriteTo(ctx context.Context, w io.Writer) error
	Close() error
	// End reports the outcome at the client, after the whole backup was sent: an error, or nil if
	// the client keeps it. It is not called when the client reports nothing.
	End(ctx context.Context, err error)
}

// idHeader identifies the backup in the response that sends it.
const idHeader = "Backup-Id"

// sentBackups holds the backups that were sent and whose outcome clients have not reported yet.
// Clients that disconnected never report, so the oldest backups are dropped.
type sentBackups struct {
	mu    sync.Mutex
	last  uint64
	order []string // ids, the oldest first
	all   map[string]Backup
}

const maxSentBackups = 8

func (h *sentBackups) id() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last++
	return strconv.FormatUint(h.last, 10)
}

func (h *sentBackups) add(id string, b Backup) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all[id] = b
	h.order = append(h.order, id)
	if len(h.order) > maxSentBackups {
		delete(h.all, h.order[0])
		h.order = h.order[1:]
	}
}

func (h *sentBackups) take(id string) Backup {
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.all[id]
	delete(h.all, id)
	return b
}

type endRequest struct{ ID, Error string }

// OfferBackups adds the endpoints for backups. One backup is taken at a time; concurrent requests
// wait. It must be called before Run.
func (s *Server) OfferBackups(backups Backups) {
	turn, sent := make(chan struct{}, 1), &sentBackups{all: map[string]Backup{}}
	s.mux.Handle("POST /backup/ended", operation(s.log, func(ctx context.Context, in endRequest) (struct{}, error) {
		b := sent.take(in.ID)
		switch {
		case b == nil:
			return struct{}{}, fault.New(fault.NotFound, "no backup %.20q waits for its end", in.ID)
		case in.Error != "":
			b.End(ctx, fault.New(fault.Unavailable, "%s", in.Error))
		default:
			b.End(ctx, nil)
		}
		return struct{}{}, nil
	}))
	s.mux.HandleFunc("POST /backup", func(w http.ResponseWriter, r *http.Request) {
		taken, err := takeBackup(w, r, backups, turn)
		if err != nil {
			s.refuseBackup(w, r, err)
			return
		}
		id := sent.id()
		w.Header().Set("Content-Type", "application/zstd")
		w.Header().Set(idHeader, id)
		sent.add(id, taken) // before the client has received all of it
		if err := errors.Join(taken.WriteTo(r.Context(), w), taken.Close()); err != nil {
			sent.take(id)
			s.log.WarnContext(r.Context(), "backup not handed on", "error", err)
			panic(http.ErrAbortHandler) // so that the client does not consider it complete
		}
	})
}

func takeBackup(w http.ResponseWriter, r *http.Request, backups Backups, turn chan struct{}) (Backup, error) {
	var in BackupScope
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in); err != nil {
		return nil, malformedRequest(err)
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
	_ = json.NewEncoder(w).Encode(failure{Error: fault.Message(err), Kind: fault.KindOf(err)}) // the client may have disconnected
}

// OpenBackup takes a backup, which the caller reads and closes. A truncated backup ends with
// io.ErrUnexpectedEOF; its manifest and checksums reveal the truncation, too.
func (c *Client) OpenBackup(ctx context.Context, what BackupScope) (io.ReadCloser, error) {
	from, _, err := c.openBackup(ctx, what)
	return from, err
}

func (c *Client) openBackup(ctx context.Context, what BackupScope) (from io.ReadCloser, id string, err error) {
	body, err := json.Marshal(what)
	if err != nil {
		return nil, "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://service/backup", bytes.NewReader(body))
	if err != nil {
		return nil, "", err
	}
	// No time limit: a backup takes as long as its reader needs.
	res, err := (&http.Client{Transport: c.http.Transport}).Do(r)
	if err != nil {
		return nil, "", fault.Wrap(err, fault.Unavailable, "the service on %s did not answer", c.dataDir)
	}
	if res.StatusCode != http.StatusOK {
		return nil, "", errors.Join(responseError(res), res.Body.Close())
	}
	return res.Body, res.Header.Get(idHeader), nil
}

// Backup takes a backup and writes it to out, comparing every checksum; to is the path of the
// copy. An error of out is returned unchanged. The caller must pass the outcome to end, nil once
// the copy is complete; end itself is nil when there is no outcome to report.
func (c *Client) Backup(ctx context.Context, out io.Writer, to string, withoutSecrets bool, progress backup.Progress) (m backup.Manifest, end func(ctx context.Context, failed error) error, err error) {
	from, id, err := c.openBackup(ctx, BackupScope{WithoutSecrets: withoutSecrets, To: to})
	if err != nil {
		return m, nil, err
	}
	end = func(ctx context.Context, failed error) error {
		defer from.Close()                  //nolint:errcheck // only read
		return c.endBackup(ctx, id, failed) // before the service interprets the end of the connection as the reason
	}
	copied := &tee{from: from, to: out}
	m, err = backup.Check(ctx, copied, progress)
	if err == nil {
		_, err = io.Copy(io.Discard, copied)
	}
	if copied.writeErr != nil {
		return m, end, copied.writeErr
	}
	if err != nil {
		return m, end, fault.Wrap(err, fault.Unavailable, "the service on %s ended the backup early; its log says why", c.dataDir)
	}
	return m, end, nil
}

// endBackup reports the outcome of a received backup to the service: nil when the client keeps
// it, otherwise the reason.
func (c *Client) endBackup(ctx context.Context, id string, failed error) error {
	in := endRequest{ID: id}
	if failed != nil {
		in.Error = fault.Message(failed)
		if fault.KindOf(failed) == fault.Internal {
			in.Error = failed.Error() // an error of the operator's own machine
		}
	}
	return c.call(ctx, "/backup/ended", in, &struct{}{})
}

// tee writes the data it reads to another writer, and records a failure to do so.
type tee struct {
	from     io.Reader
	to       io.Writer
	bytes    int64
	writeErr error
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	if n > 0 {
		if _, t.writeErr = t.to.Write(p[:n]); t.writeErr != nil {
			return 0, t.writeErr
		}
	}
	t.bytes += int64(n)
	return n, err
}

const backupUsage = `Take a backup of a metadata service that runs on this machine.

  backup [--out FILE|-] [--without-secrets]
        write all data, at one point in time, to a new file or to the standard
        output; the service continues to read and write
        --out              by default cartulary-TIME.tar.zst in this directory
        --without-secrets  leave out keys and salt. With them, a reader of the
                           file can sign tokens and decrypt secrets; without them
                           a restore needs the secrets of this service

"metadata-service restore" restores it to a data directory, and
"metadata-service verify" checks it for completeness.

It takes --data-dir DIR, the data directory of the service (default %s).
`

// RunBackup runs "backup" against the running service; args start after it. The file gets its
// name when it is complete. Wrong arguments are fault.Malformed.
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
	var end func(context.Context, error) error
	if *out == "-" {
		const name = "the standard output"
		end, err = c.backup(ctx, client, stdout, *without, name)
		err = disk.TranslateAt(err, name)
	} else {
		err = disk.WriteComplete(*out, stderr, func(f io.Writer) (err error) {
			end, err = c.backup(ctx, client, f, *without, *out)
			return err
		})
	}
	if end == nil {
		return err
	}
	if endErr := end(context.WithoutCancel(ctx), err); endErr != nil && err == nil {
		fmt.Fprintf(stderr, "the service did not receive the end of the backup, and does not list it: %s\n", fault.Message(endErr))
	}
	return err
}

func (c *command) backup(ctx context.Context, client *Client, to io.Writer, withoutSecrets bool, name string) (end func(context.Context, error) error, err error) {
	progress := backup.NewProgress(c.notes)
	began := time.Now()
	place := ""
	if path, err := filepath.Abs(name); err == nil && to != c.out {
		place = path
	}
	m, end, err := client.Backup(ctx, to, place, withoutSecrets, progress)
	if progress != nil {
		fmt.Fprintln(c.notes)
	}
	if err != nil {
		return end, err
	}
	fmt.Fprintf(c.notes, "backup up to change %d: %d files of %.1f MiB in %s, to %s\n",
		m.Sequence, len(m.Members), float64(m.Bytes())/(1<<20), time.Since(began).Round(time.Millisecond), name)
	remark := "it holds the keys of this service: keep it as safe as the data directory"
	if withoutSecrets {
		remark = "it holds no keys: keep those in secrets/ of the data directory apart, without them tokens are void and encrypted values lost"
	}
	_, err = fmt.Fprintln(c.notes, remark)
	return end, err
}
