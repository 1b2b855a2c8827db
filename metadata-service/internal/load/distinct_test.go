package load_test

import (
	"math/rand/v2"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
)

func TestDistinctHashesAreCountedInBoundedMemory(t *testing.T) {
	t.Parallel()
	const most = 10_000
	random := rand.New(rand.NewPCG(1, 2))
	d := load.NewDistinct(most)
	for n := 1; n <= 1_000_000; n++ {
		hash := random.Uint64()
		d.Add(hash)
		d.Add(hash)
		got, exact := d.Count()
		if n <= most && (got != n || !exact) {
			t.Fatalf("of %d hashes it counts %d, exact %t", n, got, exact)
		}
		if d.Kept() > most {
			t.Fatalf("after %d hashes it keeps %d", n, d.Kept())
		}
		// The average error is about 1.2 divided by the root of 10,000; five times that never
		// happens.
		if off := float64(got-n) / float64(n); exact != (n <= most) || off > 0.08 || off < -0.08 {
			t.Fatalf("of %d hashes it counts %d, exact %t", n, got, exact)
		}
	}
}
