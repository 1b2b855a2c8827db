package roaring_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	bitmap "github.com/RoaringBitmap/roaring/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/roaring"
	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/trials"
	"github.com/cartulary/cartulary/pkg/urn"
)

// randomDocument returns a document with fields of each kind, some with several values and some
// with none.
func randomDocument(random *rand.Rand, u urn.URN) *search.Document {
	words := []string{"orders", "daily", "Daily", "ordered", "v2", "über", "the", "shop_orders", "ordersDaily"}
	text := func(most int) string {
		out := words[random.IntN(len(words))]
		for range random.IntN(most) {
			out += " " + words[random.IntN(len(words))]
		}
		return out
	}
	d := &search.Document{URN: u, Type: []string{"dataset", "chart"}[random.IntN(2)], Fields: map[string][]search.Value{}}
	d.Fields["name"] = []search.Value{{Text: text(3)}}
	if random.IntN(2) == 0 {
		d.Fields["description"] = []search.Value{{Text: text(12)}}
	}
	for range random.IntN(4) {
		d.Fields["tags"] = append(d.Fields["tags"], search.Value{Text: fmt.Sprintf("urn:li:tag:t%d", random.IntN(6))})
	}
	if d.Type == "dataset" && random.IntN(3) > 0 { // the schema of charts has no such number
		d.Fields["rows"] = []search.Value{{Number: float64(random.IntN(9) - 4)}}
	}
	if random.IntN(10) == 0 { // a sparse column
		d.Fields["typeNames"] = []search.Value{{Text: text(1)}}
	}
	d.Fields["browsePathV2"] = []search.Value{{Text: fmt.Sprintf("␟a␟b%d", random.IntN(3))}}
	return d
}

// segmentOf creates a segment of some of the documents.
func segmentOf(id uint64, docs []*search.Document) roaring.Segment {
	docs = slices.Clone(docs)
	slices.SortFunc(docs, func(a, b *search.Document) int { return slices.Compare([]byte(a.URN), []byte(b.URN)) })
	return roaring.NewSegment(schemas(), id, docs)
}

func samePostings(t *testing.T, what string, got, want map[string][]uint32) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if list, ok := got[key]; !ok || !slices.Equal(list, want[key]) {
			t.Fatalf("%s: %q has %v, want %v", what, key, list, want[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[key]; !ok {
			t.Fatalf("%s: %q should not be there", what, key)
		}
	}
}

// TestAMergeIsTheSegmentOfWhatIsLeft distributes documents over segments, deletes some, and
// compares the merge with a segment that is built at once from the remaining documents.
func TestAMergeIsTheSegmentOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(79, 83))
	for round := range trials.Count(40) {
		parts := make([][]*search.Document, 1+random.IntN(5))
		var left []*search.Document
		deleted := make([]*bitmap.Bitmap, len(parts))
		n := random.IntN(400)
		for i := range n {
			d := randomDocument(random, urn.URN(fmt.Sprintf("urn:li:dataset:%05d", random.IntN(100)*1000+i)))
			part := random.IntN(len(parts))
			parts[part] = append(parts[part], d)
		}
		var from []roaring.Segment
		for i, docs := range parts {
			slices.SortFunc(docs, func(a, b *search.Document) int { return slices.Compare([]byte(a.URN), []byte(b.URN)) })
			from = append(from, segmentOf(uint64(i+1), docs))
			for doc, d := range docs {
				if round%3 == 0 || random.IntN(3) > 0 {
					left = append(left, d)
					continue
				}
				if deleted[i] == nil {
					deleted[i] = bitmap.New()
				}
				deleted[i].Add(uint32(doc))
			}
		}
		merged, numbers := roaring.MergeSegments(from, deleted)
		got, want := merged.Postings(), segmentOf(1, left).Postings()
		// A field without remaining values stays by name.
		samePostings(t, fmt.Sprintf("round %d, %d of %d documents left", round, len(left), n), got, want)
		slices.SortFunc(left, func(a, b *search.Document) int { return slices.Compare([]byte(a.URN), []byte(b.URN)) })
		for i, docs := range parts {
			for doc, d := range docs {
				number := numbers[i][doc]
				if gone := deleted[i] != nil && deleted[i].Contains(uint32(doc)); gone != (number == roaring.Dropped) {
					t.Fatalf("round %d: document %d of segment %d has the number %d", round, doc, i, number)
				} else if !gone && left[number].URN != d.URN {
					t.Fatalf("round %d: %s became %s", round, d.URN, left[number].URN)
				}
			}
		}
	}
}

func TestAMergeOfMergesIsTheSame(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(89, 97))
	var docs []*search.Document
	for i := range 300 {
		docs = append(docs, randomDocument(random, urn.URN(fmt.Sprintf("urn:li:dataset:%04d", i*7%300))))
	}
	none := []*bitmap.Bitmap{nil, nil}
	first, _ := roaring.MergeSegments([]roaring.Segment{segmentOf(1, docs[:50]), segmentOf(2, docs[50:200])}, none)
	twice, _ := roaring.MergeSegments([]roaring.Segment{segmentOf(3, docs[200:]), first}, none)
	samePostings(t, "two merges", twice.Postings(), segmentOf(4, docs).Postings())
}

func TestASegmentIsReadAsItWasWritten(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(101, 103))
	for _, n := range []int{0, 1, 2, 17, 400} {
		var docs []*search.Document
		for i := range n {
			docs = append(docs, randomDocument(random, urn.URN(fmt.Sprintf("urn:li:dataset:%04d", i))))
		}
		written := segmentOf(9, docs)
		file := written.Encode()
		read, err := roaring.DecodeSegment(file)
		if err != nil {
			t.Fatalf("%d documents: %v", n, err)
		}
		samePostings(t, fmt.Sprintf("%d documents", n), read.Postings(), written.Postings())
		if again := read.Encode(); !slices.Equal(again, file) {
			t.Errorf("%d documents: written again, the file differs", n)
		}
	}
}

func smallSegment() []byte {
	random := rand.New(rand.NewPCG(107, 109))
	var docs []*search.Document
	for i := range 200 { // enough for lists that are stored as sets
		docs = append(docs, randomDocument(random, urn.URN(fmt.Sprintf("urn:li:dataset:%04d", i))))
	}
	return segmentOf(3, docs).Encode()
}

func TestADamagedSegmentIsRefused(t *testing.T) {
	t.Parallel()
	file := smallSegment()
	for at := range file {
		damaged := slices.Clone(file)
		damaged[at] ^= 1 << (at % 8)
		if _, err := roaring.DecodeSegment(damaged); err == nil {
			t.Fatalf("a changed bit in byte %d is read", at)
		}
	}
	for size := range file {
		if _, err := roaring.DecodeSegment(file[:size]); err == nil {
			t.Fatalf("%d of %d bytes are read", size, len(file))
		}
	}
	if _, err := roaring.DecodeSegment(append(slices.Clone(file), make([]byte, 8)...)); err == nil {
		t.Error("bytes behind the end are read")
	}
}

// TestASegmentWithAnotherContentDoesNotPanic damages files and gives them correct checksums, as a
// fault of another program could: lengths may then be arbitrary.
func TestASegmentWithAnotherContentDoesNotPanic(t *testing.T) {
	t.Parallel()
	file := smallSegment()
	random := rand.New(rand.NewPCG(113, 127))
	refused := 0
	for range trials.Count(3000) {
		damaged := slices.Clone(file)
		switch random.IntN(3) {
		case 0: // a length, most likely
			at := 8 + random.IntN(len(file)/8-2)*8
			damaged[at+random.IntN(8)] = byte(random.IntN(256))
		case 1:
			damaged[8+random.IntN(len(file)-16)] ^= byte(1 + random.IntN(255))
		default:
			damaged = damaged[:8+random.IntN(len(file)-8)]
		}
		panicked, err := decodeWithChecksum(damaged)
		if panicked != nil {
			t.Fatal(panicked)
		}
		if err != nil {
			refused++
		}
	}
	if refused == 0 {
		t.Error("nothing was refused: the damage says little")
	}
}

func decodeWithChecksum(file []byte) (panicked any, err error) {
	defer func() { panicked = recover() }()
	_, err = roaring.DecodeSegment(roaring.WithChecksum(file))
	return nil, err
}

func FuzzDecodingASegment(f *testing.F) {
	f.Add(smallSegment())
	f.Add(segmentOf(1, nil).Encode())
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, file []byte) {
		if panicked, _ := decodeWithChecksum(file); panicked != nil {
			t.Error(panicked)
		}
	})
}
