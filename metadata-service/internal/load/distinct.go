package load

// maxDistinct is how many hashes of URNs an import remembers at most, in some 20 MB.
const maxDistinct = 1 << 20

// distinct counts different hashes in bounded memory, by adaptive sampling: once there
// are more than it may remember it keeps those alone whose highest bit is zero, then
// those with two zero bits, and so on. Each bit stands for twice as many hashes. So up
// to the bound the count is exact, and beyond it off by some 1.2/sqrt(most).
type distinct struct {
	most   int
	bits   uint // that are zero in all that is kept
	hashes map[uint64]struct{}
}

func newDistinct(most int) *distinct {
	return &distinct{most: most, hashes: make(map[uint64]struct{})}
}

func (d *distinct) add(hash uint64) {
	if !d.keeps(hash) {
		return
	}
	d.hashes[hash] = struct{}{}
	for len(d.hashes) > d.most {
		d.bits++
		for h := range d.hashes {
			if !d.keeps(h) {
				delete(d.hashes, h)
			}
		}
	}
}

func (d *distinct) keeps(hash uint64) bool { return hash>>(64-d.bits) == 0 }

func (d *distinct) count() (n int, exact bool) { return len(d.hashes) << d.bits, d.bits == 0 }
