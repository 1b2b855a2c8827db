package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/cartulary/cartulary/metadata-service/internal/disk"
	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	// reserve is the space kept free for the writers of the service while files are copied.
	reserve = 64 << 20
	// syncStep is the number of bytes copied between two syncs. A sync of a writer waits for all
	// unwritten data of the file system, including that of other files.
	syncStep  = 8 << 20
	copyBytes = 256 << 10
	fileMode  = 0o600
)

// Source is a file to back up, in its state at the moment of the backup.
type Source struct {
	Name string // path in the data directory, with slashes
	Size int64  // number of bytes that WriteTo writes
	// WriteTo writes the content. Close releases the state, and is called once.
	WriteTo func(io.Writer) (int64, error)
	Close   func() error
}

// Config holds the settings of a backup.
type Config struct {
	// Spool is the folder of the copy until it is sent.
	Spool    string
	Version  string // version of the program
	Sequence uint64 // number of the last change
	Secrets  bool
	Now      func() time.Time
	// Free returns the free space of the disk with a folder; disk.Free if nil.
	Free func(folder string) (int64, error)
}

// Taken is a complete backup that has not been sent yet. The caller closes it.
type Taken struct {
	Manifest Manifest
	spool    *os.File
	created  time.Time
}

// Take copies all sources in their order and closes each one as soon as it is copied. The copy has
// no name on the disk and disappears with the process, however that ends. Without enough space the
// error is fault.StorageFull, and nothing is written.
func Take(ctx context.Context, cfg Config, sources []Source) (t *Taken, err error) {
	open := sources
	defer func() {
		for _, s := range open {
			err = errors.Join(err, s.Close())
		}
		if err != nil && t != nil {
			err = errors.Join(err, t.Close())
			t = nil
		}
	}()
	if err := checkRoom(cfg, sources); err != nil {
		return nil, err
	}
	created := cfg.Now().UTC()
	t = &Taken{created: created, Manifest: Manifest{
		Format: Format, Version: cfg.Version, Created: created.Format(time.RFC3339), Sequence: cfg.Sequence, Secrets: cfg.Secrets,
	}}
	if t.spool, err = unlinkedFile(cfg.Spool); err != nil {
		return nil, disk.Translate(err)
	}
	for _, s := range sources {
		member, err := t.copy(ctx, s)
		open = open[1:]
		if err := errors.Join(err, s.Close()); err != nil {
			return t, fmt.Errorf("copy %s: %w", s.Name, disk.Translate(err))
		}
		t.Manifest.Members = append(t.Manifest.Members, member)
	}
	return t, t.Manifest.check()
}

func checkRoom(cfg Config, sources []Source) error {
	free := cfg.Free
	if free == nil {
		free = disk.Free
	}
	room, err := free(cfg.Spool)
	if err != nil {
		return err
	}
	need := int64(reserve)
	for _, s := range sources {
		need += s.Size
	}
	if room < need {
		return fault.New(fault.StorageFull, "a backup needs %s beside the data, %s included that stay free for writers, and the disk of the data folder has %s; make room there and try again",
			mebibytes(need), mebibytes(reserve), mebibytes(room))
	}
	return nil
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// unlinkedFile creates a file that only this process can access.
func unlinkedFile(folder string) (*os.File, error) {
	t, err := disk.FileIn(folder, ".backup", nil)
	if err != nil {
		return nil, err
	}
	return t.Unlink()
}

func (t *Taken) copy(ctx context.Context, s Source) (Member, error) {
	w := &spooler{ctx: ctx, file: t.spool, sum: sha256.New()}
	if _, err := s.WriteTo(w); err != nil {
		return Member{}, err
	}
	return Member{Name: s.Name, Bytes: w.written, SHA256: hex.EncodeToString(w.sum.Sum(nil))}, nil
}

// spooler writes a member until its context ends.
type spooler struct {
	ctx               context.Context
	file              *os.File
	sum               hash.Hash
	written, unsynced int64
}

func (w *spooler) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := w.file.Write(p)
	_, _ = w.sum.Write(p[:n])
	w.written += int64(n)
	w.unsynced += int64(n)
	if err == nil && w.unsynced >= syncStep {
		w.unsynced = 0
		err = w.file.Sync()
	}
	return n, err
}

// WriteTo writes the compressed backup to w. It can be called repeatedly.
func (t *Taken) WriteTo(ctx context.Context, w io.Writer) (err error) {
	packed, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, packed.Close()) }()
	archive := tar.NewWriter(packed)
	manifest, err := json.MarshalIndent(t.Manifest, "", "  ")
	if err != nil {
		return err
	}
	if err := archive.WriteHeader(t.header(manifestName, int64(len(manifest)))); err != nil {
		return err
	}
	if _, err := archive.Write(manifest); err != nil {
		return err
	}
	at := int64(0)
	for _, m := range t.Manifest.Members {
		if err := archive.WriteHeader(t.header(m.Name, m.Bytes)); err != nil {
			return err
		}
		content := &contextReader{ctx: ctx, from: io.NewSectionReader(t.spool, at, m.Bytes)}
		if _, err := io.CopyBuffer(plainWriter{archive}, content, make([]byte, copyBytes)); err != nil {
			return fmt.Errorf("pack %s: %w", m.Name, err)
		}
		at += m.Bytes
	}
	return archive.Close()
}

func (t *Taken) header(name string, size int64) *tar.Header {
	return &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: size, Mode: fileMode, ModTime: t.created, Format: tar.FormatPAX}
}

// Close frees the space on the disk. A second call does nothing.
func (t *Taken) Close() error {
	if t.spool == nil {
		return nil
	}
	spool := t.spool
	t.spool = nil
	return spool.Close()
}

// contextReader is a reader that fails once its context has ended.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (e *contextReader) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.from.Read(p)
}

// plainWriter hides methods of a writer by which io.Copy would not use its buffer.
type plainWriter struct{ io.Writer }
