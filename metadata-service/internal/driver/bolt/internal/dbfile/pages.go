package dbfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// bbolt trusts its pages: a damaged page makes it panic, read outside the file, or loop until the
// stack overflow ends the process, from which nothing can recover. Files are therefore inspected
// with plain reads before bbolt may walk them.
//
// A file is a tree of pages. Pages 0 and 1 are meta pages; the newer valid one is in effect. A
// bucket is a tree of branch and leaf pages, or is stored inline in the leaf that names it. The
// list of free pages has its own pages.

// Kinds of pages, as stored in their headers.
const (
	pageBranch   = 0x01
	pageLeaf     = 0x02
	pageFreelist = 0x10
)

const (
	pageHeader   = 16 // id 8, kind 2, count 2, overflow 4
	pageElement  = 16 // of a branch: offset 4, key 4, page 8; of a leaf: flags 4, offset 4, key 4, value 4
	bucketHeader = 16 // root page 8, sequence 8
	bucketFlag   = 0x01

	metaMagic   = 0xED0CDAED
	metaBytes   = 64
	metaSummed  = 56 // bytes covered by the checksum that follows them
	firstPage   = 2
	deepestTree = 64 // deeper than the tree of any possible file
	// maxProblems limits a report; a disk that lost a region damages thousands of pages.
	maxProblems = 50
	noFreelist  = 1<<64 - 1
)

var native = binary.NativeEndian

// inspection is a walk over the pages of a file that does not change meanwhile.
type inspection struct {
	file     io.ReaderAt
	pageSize uint64
	deep     bool // read leaves, too

	pages      uint64 // number of pages of the file, used and free
	used, free pageSet
	problems   []string
}

// inspect returns the problems of the pages of a file, none when it is sound. Unless deep is set,
// it reads only branch pages and the list of free pages, a fraction of the file that suffices to
// show that every walk ends.
func inspect(path string, pageSize int, deep bool) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	x := &inspection{file: f, pageSize: uint64(pageSize), deep: deep}
	meta, ok := x.meta()
	if !ok {
		return []string{"page 0 and 1: neither says where the data is"}, nil
	}
	x.pages = native.Uint64(meta[40:])
	if x.pages > uint64(info.Size())/x.pageSize {
		return []string{fmt.Sprintf("the file has %d bytes of %d", info.Size(), x.pages*x.pageSize)}, nil
	}
	x.used, x.free = newPageSet(x.pages), newPageSet(x.pages)
	x.freelist(native.Uint64(meta[32:]))
	x.tree(native.Uint64(meta[16:]))
	if deep && len(x.problems) == 0 {
		x.leaked()
	}
	return x.problems, nil
}

const emptyFile = "the file is empty"

// cut describes how much of a file is left when its end is missing, and returns an empty text for
// all other files. A writer extends the file before it records the new size, and cut reads the size
// of the file last: a file in use never looks cut.
func cut(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close() //nolint:errcheck // only read
	head := make([]byte, pageHeader+metaBytes)
	if _, err := f.ReadAt(head, 0); err != nil || native.Uint32(head[pageHeader:]) != metaMagic {
		return ""
	}
	x := &inspection{file: f, pageSize: uint64(native.Uint32(head[pageHeader+8:]))}
	meta, ok := x.meta()
	info, err := f.Stat()
	if err != nil || !ok || x.pageSize == 0 || native.Uint64(meta[40:]) <= uint64(info.Size())/x.pageSize {
		return ""
	}
	return fmt.Sprintf("it was cut: the file has %d bytes of %d", info.Size(), native.Uint64(meta[40:])*x.pageSize)
}

func (x *inspection) wrong(page uint64, format string, args ...any) {
	if len(x.problems) < maxProblems {
		x.problems = append(x.problems, fmt.Sprintf("page %d: ", page)+fmt.Sprintf(format, args...))
	}
}

// meta returns the content of the meta page in effect.
func (x *inspection) meta() (best []byte, ok bool) {
	for page := range uint64(firstPage) {
		meta := make([]byte, metaBytes)
		if _, err := x.file.ReadAt(meta, int64(page*x.pageSize+pageHeader)); err != nil {
			continue
		}
		sum := fnv.New64a()
		_, _ = sum.Write(meta[:metaSummed])
		if native.Uint32(meta) != metaMagic || sum.Sum64() != native.Uint64(meta[metaSummed:]) {
			continue
		}
		if best == nil || native.Uint64(meta[48:]) > native.Uint64(best[48:]) {
			best = meta
		}
	}
	return best, best != nil
}

// page is a page that was read, including its overflow pages.
type page struct {
	id    uint64
	kind  uint16
	count int
	body  []byte
}

// header reads the header of a page.
func (x *inspection) header(id uint64) (p page, overflow uint64, ok bool) {
	raw := make([]byte, pageHeader)
	if _, err := x.file.ReadAt(raw, int64(id*x.pageSize)); err != nil {
		x.wrong(id, "cannot be read: %v", err)
		return p, 0, false
	}
	p = page{id: id, kind: native.Uint16(raw[8:]), count: int(native.Uint16(raw[10:]))}
	overflow = uint64(native.Uint32(raw[12:]))
	switch {
	case native.Uint64(raw) != id:
		x.wrong(id, "says that it is page %d", native.Uint64(raw))
	case p.kind != pageBranch && p.kind != pageLeaf && p.kind != pageFreelist:
		x.wrong(id, "is of no known kind (%#x)", p.kind)
	case overflow >= x.pages-id:
		x.wrong(id, "reaches beyond the end of the file")
	default:
		return p, overflow, true
	}
	return p, 0, false
}

// read reads a whole page and marks its overflow pages as used.
func (x *inspection) read(id uint64) (page, bool) {
	p, overflow, ok := x.header(id)
	if !ok {
		return p, false
	}
	for next := id + 1; next <= id+overflow; next++ {
		if !x.use(next) {
			return p, false
		}
	}
	p.body = make([]byte, (overflow+1)*x.pageSize)
	if _, err := x.file.ReadAt(p.body, int64(id*x.pageSize)); err != nil {
		x.wrong(id, "cannot be read: %v", err)
		return p, false
	}
	return p, true
}

// use marks a page as part of the tree, which is allowed only once.
func (x *inspection) use(id uint64) bool {
	switch {
	case id < firstPage || id >= x.pages:
		x.wrong(id, "is named and does not exist; there are %d", x.pages)
	case x.used.has(id):
		x.wrong(id, "is named twice")
	case x.free.has(id):
		x.wrong(id, "is in use and in the list of free pages")
	default:
		x.used.add(id)
		return true
	}
	return false
}

// freelist reads the list of free pages.
func (x *inspection) freelist(id uint64) {
	if id == noFreelist || !x.use(id) {
		return
	}
	p, ok := x.read(id)
	if !ok {
		return
	}
	if p.kind != pageFreelist {
		x.wrong(id, "is not the list of free pages")
		return
	}
	count, list := uint64(p.count), p.body[pageHeader:]
	if p.count == 0xFFFF {
		count, list = native.Uint64(list), list[8:]
	}
	if count > uint64(len(list))/8 {
		x.wrong(id, "lists %d free pages and has no room for so many", count)
		return
	}
	last := uint64(0)
	for i := range count {
		free := native.Uint64(list[8*i:])
		if free < firstPage || free >= x.pages || free <= last {
			x.wrong(id, "lists page %d as free, which cannot be", free)
			return
		}
		x.free.add(free)
		last = free
	}
}

// tree walks the pages of a bucket from its root.
func (x *inspection) tree(root uint64) {
	if x.use(root) {
		x.walk(root, x.height(root), 0)
	}
}

// height returns the number of branch levels above the leaves, which all have the same depth. It
// reads only the first page of each level.
func (x *inspection) height(id uint64) int {
	for height := range deepestTree {
		raw := make([]byte, pageHeader+pageElement)
		if id >= x.pages {
			return height
		}
		if _, err := x.file.ReadAt(raw, int64(id*x.pageSize)); err != nil || native.Uint16(raw[8:]) != pageBranch {
			return height
		}
		id = native.Uint64(raw[pageHeader+8:])
	}
	return deepestTree
}

// walk reads a used page and the pages below it. height is the expected height: pages of height 0
// are leaves. Leaves are read if the inspection is deep, or if the leaf is the root of a tree, as
// it may name buckets.
func (x *inspection) walk(id uint64, height, depth int) {
	if height <= 0 && depth > 0 && !x.deep {
		return
	}
	if depth > deepestTree {
		x.wrong(id, "lies deeper than any tree can be")
		return
	}
	p, ok := x.read(id)
	if !ok {
		return
	}
	switch p.kind {
	case pageBranch:
		x.branch(p, height, depth)
	case pageLeaf:
		x.leaf(p)
	default:
		x.wrong(id, "is no part of a tree (%#x)", p.kind)
	}
}

func (x *inspection) branch(p page, height, depth int) {
	if p.count == 0 {
		x.wrong(p.id, "is a branch that leads nowhere")
		return
	}
	var before []byte
	for i := range p.count {
		key, ok := x.element(p, i, 0, 0)
		if !ok {
			return
		}
		if i > 0 && bytes.Compare(before, key) >= 0 {
			x.wrong(p.id, "key %d is out of order", i)
			return
		}
		before = key
		child := native.Uint64(p.body[pageHeader+pageElement*i+8:])
		if x.use(child) {
			x.walk(child, height-1, depth+1)
		}
	}
}

func (x *inspection) leaf(p page) {
	var before []byte
	for i := range p.count {
		at := pageHeader + pageElement*i
		if at+pageElement > len(p.body) {
			x.wrong(p.id, "has %d entries and no room for so many", p.count)
			return
		}
		flags, size := native.Uint32(p.body[at:]), native.Uint32(p.body[at+12:])
		pair, ok := x.element(p, i, 4, uint64(size))
		if !ok {
			return
		}
		key, value := pair[:len(pair)-int(size)], pair[len(pair)-int(size):]
		if i > 0 && bytes.Compare(before, key) >= 0 {
			x.wrong(p.id, "key %d is out of order", i)
			return
		}
		before = key
		switch flags {
		case 0:
		case bucketFlag:
			x.bucket(p, value)
		default:
			x.wrong(p.id, "entry %d is of no known kind (%#x)", i, flags)
			return
		}
	}
}

// element returns the key and value of element i. Its offset and key length are stored at the given
// place of the element.
func (x *inspection) element(p page, i, place int, value uint64) ([]byte, bool) {
	at := pageHeader + pageElement*i
	if at+pageElement > len(p.body) {
		x.wrong(p.id, "has %d entries and no room for so many", p.count)
		return nil, false
	}
	begin := uint64(at) + uint64(native.Uint32(p.body[at+place:]))
	end := begin + uint64(native.Uint32(p.body[at+place+4:])) + value
	if begin < pageHeader || end > uint64(len(p.body)) {
		x.wrong(p.id, "entry %d reaches beyond the page", i)
		return nil, false
	}
	return p.body[begin:end], true
}

// bucket follows the value of a leaf element that names a bucket.
func (x *inspection) bucket(in page, value []byte) {
	if len(value) < bucketHeader {
		x.wrong(in.id, "names a bucket and does not say where it is")
		return
	}
	if root := native.Uint64(value); root != 0 {
		x.tree(root)
		return
	}
	inline := value[bucketHeader:]
	if len(inline) < pageHeader {
		x.wrong(in.id, "holds a bucket that is cut short")
		return
	}
	p := page{id: in.id, kind: native.Uint16(inline[8:]), count: int(native.Uint16(inline[10:])), body: inline}
	if p.kind != pageLeaf {
		x.wrong(in.id, "holds a bucket of no known kind (%#x)", p.kind)
		return
	}
	x.leaf(p)
}

// leaked reports pages that are neither used nor free.
func (x *inspection) leaked() {
	for id := uint64(firstPage); id < x.pages; id++ {
		if !x.used.has(id) && !x.free.has(id) {
			x.wrong(id, "is neither in use nor in the list of free pages")
		}
	}
}

// pageSet is a set of page numbers.
type pageSet []uint64

func newPageSet(pages uint64) pageSet { return make(pageSet, pages/64+1) }

func (s pageSet) has(id uint64) bool { return s[id/64]&(1<<(id%64)) != 0 }
func (s pageSet) add(id uint64)      { s[id/64] |= 1 << (id % 64) }
