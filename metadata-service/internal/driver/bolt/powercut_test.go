package bolt_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/dbfile/dbfiletest"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// TestPowerCuts builds possible disk contents after a power cut during a commit and opens them. The
// package comment describes the images.
func TestPowerCuts(t *testing.T) {
	t.Parallel()
	const seed = 7
	random := rand.New(rand.NewPCG(seed, seed))
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	before, beforeState := image(t, path), dump(t, s)
	for round := range dbfiletest.SoakRounds(t, 6) {
		busyCommit(t, s, random, round)
		after, afterState := image(t, path), dump(t, s)
		c := cut{before: grown(before, len(after)), after: after, random: random}
		for name, disk := range map[string][]byte{
			"nothing of the commit":                c.image(none, oldMeta),
			"some data pages":                      c.image(some, oldMeta),
			"other data pages":                     c.image(some, oldMeta),
			"some data pages, some torn":           c.image(someTorn, oldMeta),
			"all data pages":                       c.image(all, oldMeta),
			"all data pages, meta page torn":       c.image(all, tornMeta),
			"all data pages, half of the metadata": c.image(all, tornSector),
		} {
			checkImage(t, fmt.Sprintf("round %d, %s", round, name), disk, beforeState)
		}
		checkImage(t, fmt.Sprintf("round %d, everything", round), c.image(all, newMeta), afterState)
		before, beforeState = after, afterState
	}
}

// image returns the content of the file, which must not be written meanwhile.
func image(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// grown returns the image after the file has got its new length, which is synced before any page is
// written.
func grown(image []byte, size int) []byte {
	return append(image[:len(image):len(image)], make([]byte, size-len(image))...)
}

// busyCommit changes some of all kinds of data in one commit.
func busyCommit(t *testing.T, s *bolt.Store, random *rand.Rand, round int) {
	t.Helper()
	_, err := s.Update(t.Context(), func(tx store.Tx) error {
		for range 1 + random.IntN(40) {
			u := urn.Make("dataset", fmt.Sprint(random.IntN(60)))
			aspect := fmt.Sprint("aspect", random.IntN(5))
			value := strings.Repeat(fmt.Sprint(round), 1+random.IntN(400)*random.IntN(40))
			step := write(t.Context(), tx, u, aspect, value)
			if random.IntN(3) == 0 {
				step = tx.Remove(t.Context(), store.Key{URN: u, Aspect: aspect}, 0)
			}
			if step != nil {
				return step
			}
		}
		return write(t.Context(), tx, "urn:li:dataset:always", "status", fmt.Sprint(round))
	})
	if err != nil {
		t.Fatal(err)
	}
}

// cut is a commit during which the power fails.
type cut struct {
	before, after []byte
	random        *rand.Rand
}

type dataPages int

const (
	none dataPages = iota
	some
	someTorn
	all
)

type metaPages int

const (
	oldMeta metaPages = iota
	newMeta
	tornMeta   // its first sector is still the old one
	tornSector // even its fields are partly written, which its checksum reveals
)

const metaCount = 2 // pages at the start of the file

// image combines both states page by page.
func (c cut) image(data dataPages, meta metaPages) []byte {
	disk := append([]byte(nil), c.before...)
	for at := metaCount * bolt.PageBytes; at < len(disk); at += bolt.PageBytes {
		from, to := at, at+bolt.PageBytes
		switch {
		case data == none, data != all && c.random.IntN(2) == 0:
			continue
		case data == someTorn && c.random.IntN(2) == 0:
			from = at + 512*c.random.IntN(bolt.PageBytes/512)
			to = from + 512*(1+c.random.IntN((at+bolt.PageBytes-from)/512))
		}
		copy(disk[from:to], c.after[from:to])
	}
	for at := 0; at < metaCount*bolt.PageBytes; at += bolt.PageBytes {
		switch meta {
		case newMeta:
			copy(disk[at:at+bolt.PageBytes], c.after[at:])
		case tornMeta:
			copy(disk[at+512:at+bolt.PageBytes], c.after[at+512:])
		case tornSector:
			// Half of the header, root and free list fields are new; checksum and number are not.
			copy(disk[at:at+48], c.after[at:])
		}
	}
	return disk
}

func checkImage(t *testing.T, name string, disk []byte, want string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cut.db")
	if err := os.WriteFile(path, disk, 0o600); err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	s, err := bolt.Open(t.Context(), path, bolt.Config{})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	got := dump(t, s)
	if err := errors.Join(s.Check(), s.Close()); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if got != want {
		t.Errorf("%s: the store holds another state than expected:\n got %.300s\nwant %.300s", name, got, want)
	}
}
