package footprint

import (
	"os"
	"slices"
	"strings"
	"testing"
)

const smaps = `00400000-01471000 r-xp 00000000 fe:00 1 /srv/program
Size:              16836 kB
Rss:               13624 kB
Anonymous:             0 kB
01471000-034d5000 r--p 01071000 fe:00 1 /srv/program
Anonymous:             4 kB
034d5000-035a7000 rw-p 030d5000 fe:00 1 /srv/program
Anonymous:             0 kB
035a7000-035a8000 r--p 03000000 fe:00 1 /srv/program
Anonymous:             0 kB
7f0000000000-7f0000001000 r--s 00000000 fe:00 2 /srv/program.db
Anonymous:             0 kB
7f0000001000-7f0000002000 r--p 00000000 00:00 0
Anonymous:             0 kB
VmFlags: rd mr
`

func TestOnlyPagesThatAreReadFromTheFileAgainAreDropped(t *testing.T) {
	t.Parallel()
	want := []mapping{{0x400000, 0x1471000}, {0x35a7000, 0x35a8000}}
	if got := unchanged(strings.NewReader(smaps), "/srv/program"); !slices.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

func TestAProgramGoesOnAfterItWasTrimmed(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Skip("!!! SKIPPED: there is no /proc/self/smaps")
	}
	defer file.Close()
	if len(unchanged(file, path)) == 0 {
		t.Error("no page of the program is found")
	}
	for range 3 {
		Trim()
		if got := strings.ToUpper(strings.Repeat("a", 10)); got != "AAAAAAAAAA" {
			t.Error(got)
		}
	}
}
