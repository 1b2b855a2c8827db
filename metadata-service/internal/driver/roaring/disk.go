package roaring

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// Names and modes of files.
const (
	manifestName  = "manifest"
	segmentSuffix = ".segment"
	privateDir    = 0o700
	privateFile   = 0o600
)

// manifestMagic is the start of a manifest. The hash of the schemas, the sequence, the last segment
// id, the segments with their deletions, and a CRC follow.
const manifestMagic = "CTLYIDX1"

// snapshotDir is the directory of a snapshot.
type snapshotDir struct {
	path  string
	saved map[uint64]bool // segments on disk
}

func openSnapshotDir(path string) (*snapshotDir, error) {
	if err := os.MkdirAll(path, privateDir); err != nil {
		return nil, fmt.Errorf("open the search index: %w", err)
	}
	return &snapshotDir{path: path, saved: map[uint64]bool{}}, nil
}

func segmentName(id uint64) string { return fmt.Sprintf("%016x%s", id, segmentSuffix) }

// load reads the snapshot. It returns the version, the last segment id, and the reason why the
// index must be rebuilt, which is empty when the snapshot is usable. An error means that the
// directory cannot be read.
func (d *snapshotDir) load(schemas [32]byte) (v *version, last uint64, stale string, err error) {
	v = &version{}
	file, err := os.ReadFile(filepath.Join(d.path, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return v, 0, "", nil
	}
	if err != nil {
		return nil, 0, "", fmt.Errorf("open the search index: %w", err)
	}
	m, err := decodeManifest(file)
	if err != nil {
		// Earlier ids must not be reused for other content.
		return v, d.highest(), "its manifest " + err.Error(), nil
	}
	if m.schemas != schemas {
		stale = "the fields of the model, or how documents are made of them, have changed"
	}
	v.applied = m.applied
	for _, e := range m.entries {
		s, err := d.read(e.id)
		if err != nil {
			stale = fmt.Sprintf("file %s %v", segmentName(e.id), err)
			continue
		}
		d.saved[e.id] = true
		v.segments = append(v.segments, segmentView{segment: s, deleted: e.deleted, cache: &viewCache{}})
	}
	return v, max(m.last, d.highest()), stale, nil
}

func (d *snapshotDir) read(id uint64) (*segment, error) {
	file, err := os.ReadFile(filepath.Join(d.path, segmentName(id)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("is missing")
	}
	if err != nil {
		return nil, err
	}
	s, err := decodeSegment(file)
	if err == nil && s.id != id {
		err = errDamaged
	}
	return s, err
}

// highest returns the highest id of a segment file.
func (d *snapshotDir) highest() uint64 {
	var highest uint64
	for id := range d.files() {
		highest = max(highest, id)
	}
	return highest
}

// files yields the ids and names of the segment files.
func (d *snapshotDir) files() func(yield func(uint64, string) bool) {
	return func(yield func(uint64, string) bool) {
		entries, err := os.ReadDir(d.path)
		if err != nil {
			return
		}
		for _, e := range entries {
			digits, ok := strings.CutSuffix(e.Name(), segmentSuffix)
			raw, err := hex.DecodeString(digits)
			if !ok || err != nil || len(raw) != blockAlign {
				continue
			}
			if !yield(binary.BigEndian.Uint64(raw), e.Name()) {
				return
			}
		}
	}
}

// save writes the new segments and then, atomically, the manifest. After a crash the previous
// snapshot is intact.
func (d *snapshotDir) save(ctx context.Context, schemas [32]byte, v *version) error {
	m := manifest{schemas: schemas, applied: v.applied}
	used := map[uint64]bool{}
	for _, view := range v.segments {
		if err := ctx.Err(); err != nil {
			return err
		}
		used[view.id] = true
		m.last = max(m.last, view.id)
		m.entries = append(m.entries, entry{id: view.id, deleted: view.deleted})
		if d.saved[view.id] {
			continue
		}
		if err := d.write(segmentName(view.id), encodeSegment(view.segment)); err != nil {
			return err
		}
		d.saved[view.id] = true
	}
	if err := d.write(manifestName, m.encode()); err != nil {
		return err
	}
	for id, name := range d.files() {
		if used[id] {
			continue
		}
		delete(d.saved, id)
		if err := os.Remove(filepath.Join(d.path, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// write creates or replaces a file durably and atomically.
func (d *snapshotDir) write(name string, content []byte) error {
	temporary := filepath.Join(d.path, name+".new")
	f, err := os.OpenFile(temporary, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, privateFile)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		_ = os.Remove(temporary) // a partial file would occupy space that a full disk lacks
		return err
	}
	if err := os.Rename(temporary, filepath.Join(d.path, name)); err != nil {
		return err
	}
	dir, err := os.Open(d.path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

type manifest struct {
	schemas [32]byte
	applied uint64
	last    uint64
	entries []entry
}

type entry struct {
	id      uint64
	deleted *roaring.Bitmap
}

func (m *manifest) encode() []byte {
	e := &encoder{b: []byte(manifestMagic)}
	e.block(m.schemas[:])
	e.number(m.applied)
	e.number(m.last)
	e.number(uint64(len(m.entries)))
	for _, entry := range m.entries {
		e.number(entry.id)
		deleted := entry.deleted
		if deleted == nil {
			deleted = roaring.New()
		}
		e.bitmap(deleted)
	}
	return binary.LittleEndian.AppendUint64(e.b, uint64(crc32.Checksum(e.b, castagnoli)))
}

func decodeManifest(file []byte) (*manifest, error) {
	end := len(file) - blockAlign
	if end < len(manifestMagic) {
		return nil, errDamaged
	}
	if !bytes.HasPrefix(file, []byte(manifestMagic)) {
		return nil, errors.New("has another format")
	}
	if binary.LittleEndian.Uint64(file[end:]) != uint64(crc32.Checksum(file[:end], castagnoli)) {
		return nil, errDamaged
	}
	d := &decoder{b: file[:end], at: len(manifestMagic)}
	m := &manifest{}
	copy(m.schemas[:], d.block())
	m.applied, m.last = d.number(), d.number()
	for range d.count(blockAlign) {
		e := entry{id: d.number()}
		if deleted := d.bitmap(); !deleted.IsEmpty() {
			e.deleted = deleted.Clone()
		}
		m.entries = append(m.entries, e)
	}
	if d.err != nil || d.at != len(d.b) {
		return nil, errDamaged
	}
	return m, nil
}
