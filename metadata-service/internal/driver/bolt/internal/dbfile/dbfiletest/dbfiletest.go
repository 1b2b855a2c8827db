// Package dbfiletest damages bbolt files in the ways disks do, for tests of packages that use such
// files.
package dbfiletest

import (
	"encoding/binary"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/pkg/fault"
)

// Harm is one way in which a disk loses data.
type Harm struct {
	Name string
	Do   func(random *rand.Rand, file []byte, pageBytes int)
}

// Harms lists the kinds of damage that the tests apply.
var Harms = []Harm{
	{"a page of zeros", func(random *rand.Rand, file []byte, pageBytes int) {
		clear(PageAt(file, anyPage(random, file, pageBytes), pageBytes))
	}},
	{"a page of noise", func(random *rand.Rand, file []byte, pageBytes int) {
		noise(random, PageAt(file, anyPage(random, file, pageBytes), pageBytes))
	}},
	{"half a page of noise", func(random *rand.Rand, file []byte, pageBytes int) {
		noise(random, PageAt(file, anyPage(random, file, pageBytes), pageBytes)[pageBytes/2:])
	}},
	{"a page written in the place of another", func(random *rand.Rand, file []byte, pageBytes int) {
		copy(PageAt(file, anyPage(random, file, pageBytes), pageBytes), PageAt(file, anyPage(random, file, pageBytes), pageBytes))
	}},
	{"one byte", func(random *rand.Rand, file []byte, pageBytes int) {
		page := PageAt(file, anyPage(random, file, pageBytes), pageBytes)
		page[random.IntN(len(page))] ^= byte(1 + random.IntN(255))
	}},
	{"one byte where a page describes itself", func(random *rand.Rand, file []byte, pageBytes int) {
		page := PageAt(file, anyPage(random, file, pageBytes), pageBytes)
		page[random.IntN(256)] ^= byte(1 + random.IntN(255))
	}},
	{"a page that leads to another", func(random *rand.Rand, file []byte, pageBytes int) {
		page := PageAt(file, anyPage(random, file, pageBytes), pageBytes)
		at := 16 + 16*random.IntN(8) + 8
		binary.NativeEndian.PutUint64(page[at:], uint64(anyPage(random, file, pageBytes)))
	}},
}

// PageAt returns page n of a file as a slice of it, for changes in place.
func PageAt(file []byte, n, pageBytes int) []byte { return file[n*pageBytes : (n+1)*pageBytes] }

// anyPage selects a random page with content; a file has many pages that were never written.
func anyPage(random *rand.Rand, file []byte, pageBytes int) int {
	branch := random.IntN(2) == 0 // branch pages are few, so half of the calls prefer one
	for try := 0; ; try++ {
		n := random.IntN(len(file) / pageBytes)
		page := PageAt(file, n, pageBytes)
		if n >= 2 && binary.NativeEndian.Uint64(page) == uint64(n) && (!branch || page[8] == 1 || try > 10_000) {
			return n
		}
	}
}

func noise(random *rand.Rand, page []byte) {
	for i := range page {
		page[i] = byte(random.Uint32())
	}
}

// WantDamage checks that an error is useful to an operator: it names the damage and the remedy, and
// contains no stack trace. It accepts a nil error and errors of kind fault.NotFound.
func WantDamage(t *testing.T, what, path string, err error) {
	t.Helper()
	if err == nil || fault.KindOf(err) == fault.NotFound {
		return
	}
	text := err.Error()
	if strings.Contains(text, "goroutine ") || strings.Contains(text, "\n\t") {
		t.Errorf("%s: a stack trace: %.300s", what, text)
	}
	if !strings.Contains(text, "damaged") || !strings.Contains(text, "from a backup") {
		t.Errorf("%s: %.300s", what, text)
	}
}

// SoakRounds returns the number of rounds of the crash tests: ordinary, or the value of the
// environment variable CARTULARY_SOAK.
func SoakRounds(t *testing.T, ordinary int) int {
	t.Helper()
	asked := os.Getenv("CARTULARY_SOAK")
	if asked == "" {
		return ordinary
	}
	rounds, err := strconv.Atoi(asked)
	if err != nil || rounds < 1 {
		t.Fatalf("CARTULARY_SOAK is %q, want a positive number", asked)
	}
	return rounds
}
