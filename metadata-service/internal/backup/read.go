package backup

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/cartulary/cartulary/pkg/fault"
)

const (
	maxWindow = 16 << 20 // of the compression; files of this program stay below it
	maxTail   = 1 << 20  // padding of an archive
)

// Progress receives the number of bytes read so far, their total number, and the current member. It
// may be nil.
type Progress func(done, total int64, member string)

// Reader reads a backup from its beginning to its end. The caller closes it.
type Reader struct {
	Manifest Manifest
	packed   *zstd.Decoder
	archive  *tar.Reader
}

// NewReader reads the manifest. A file that is no backup, or is truncated or damaged, is
// fault.Invalid; one of a newer format is fault.Unsupported. The reader does not close from.
func NewReader(from io.Reader) (*Reader, error) {
	packed, err := zstd.NewReader(from, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	r := &Reader{packed: packed, archive: tar.NewReader(packed)}
	if err := r.readManifest(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

func (r *Reader) readManifest() error {
	head, err := r.archive.Next()
	if err != nil {
		return readError(err, "its beginning cannot be read")
	}
	if head.Name != manifestName || head.Typeflag != tar.TypeReg || head.Size > maxManifestBytes {
		return fault.New(fault.Invalid, "the file is no backup: it does not begin with %s of at most %d bytes", manifestName, maxManifestBytes)
	}
	text, err := io.ReadAll(r.archive)
	if err != nil {
		return readError(err, "its manifest cannot be read")
	}
	r.Manifest, err = readManifest(text)
	return err
}

// Each calls do with the content of each member, in the order of the manifest, and verifies the
// members against the manifest: the same files in the same order, with the same sizes and
// checksums, and nothing more. do may leave content unread.
func (r *Reader) Each(ctx context.Context, progress Progress, do func(m Member, content io.Reader) error) error {
	total, before := r.Manifest.Bytes(), int64(0)
	for _, m := range r.Manifest.Members {
		head, err := r.archive.Next()
		if err != nil {
			return readError(err, m.Name+" is missing")
		}
		if head.Name != m.Name || head.Typeflag != tar.TypeReg || head.Size != m.Bytes {
			return fault.New(fault.Invalid, "the backup is damaged: %.80q of %d bytes is in the place of %s of %d", head.Name, head.Size, m.Name, m.Bytes)
		}
		content := &checksumReader{from: &contextReader{ctx, r.archive}, sum: sha256.New(), step: func(read int64) {
			if progress != nil {
				progress(before+read, total, m.Name)
			}
		}}
		if err := do(m, content); err != nil {
			return err
		}
		if _, err := io.CopyBuffer(plainWriter{io.Discard}, content, make([]byte, copyBytes)); err != nil {
			return err
		}
		if got := hex.EncodeToString(content.sum.Sum(nil)); got != m.SHA256 {
			return fault.New(fault.Invalid, "the backup is damaged: %s has the checksum %s, and the manifest says %s", m.Name, got, m.SHA256)
		}
		before += m.Bytes
	}
	return r.end(ctx)
}

// end reads up to the checksum of the compression, which covers the manifest.
func (r *Reader) end(ctx context.Context) error {
	if _, err := r.archive.Next(); !errors.Is(err, io.EOF) {
		if err == nil {
			return fault.New(fault.Invalid, "the backup is damaged: it holds more than its manifest names")
		}
		return readError(err, "its end cannot be read")
	}
	n, err := io.Copy(io.Discard, io.LimitReader(&contextReader{ctx, r.packed}, maxTail+1))
	if err != nil {
		return readError(err, "its end cannot be read")
	}
	if n > maxTail {
		return fault.New(fault.Invalid, "the backup is damaged: it goes on behind its end")
	}
	return nil
}

// Close releases the resources of the reader; the underlying reader stays open.
func (r *Reader) Close() { r.packed.Close() }

// Check reads a backup to its end and compares every checksum.
func Check(ctx context.Context, from io.Reader, progress Progress) (Manifest, error) {
	r, err := NewReader(from)
	if err != nil {
		return Manifest{}, err
	}
	defer r.Close()
	return r.Manifest, r.Each(ctx, progress, func(Member, io.Reader) error { return nil })
}

// readError returns the error for a backup that cannot be read. Errors of the context, the disk
// and the connection keep their own kinds.
func readError(err error, what string) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || fault.KindOf(err) != fault.Internal {
		return err
	}
	if errors.Is(err, zstd.ErrMagicMismatch) {
		return fault.Wrap(err, fault.Invalid, "the file is no backup")
	}
	return fault.Wrap(err, fault.Invalid, "the backup is damaged or was cut off: %s", what)
}

// checksumReader computes the checksum of the data that passes through it.
type checksumReader struct {
	from io.Reader
	sum  interface {
		io.Writer
		Sum([]byte) []byte
	}
	read int64
	step func(read int64)
}

func (s *checksumReader) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	_, _ = s.sum.Write(p[:n])
	s.read += int64(n)
	s.step(s.read)
	if err != nil && !errors.Is(err, io.EOF) {
		err = readError(err, "a member cannot be read")
	}
	return n, err
}
