package load

// maxDistinct is the maximum number of URN hashes that an import keeps in memory, in about 20 MB.
const maxDistinct = 1 << 20

// distinct counts different hashes in bounded memory, by adaptive sampling: when the number of
// hashes exceeds the maximum, it keeps only those whose highest bit is zero, then those with two
// leading zero bits, and so on. Each bit doubles the number of hashes that a kept one represents.
// The count is exact up to the maximum; beyond that its error is about 1.2/sqrt(most).
type distinct struct {
	most   int
	bits   uint // number of leading zero bits of all kept hashes
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
