package roaring

import "math"

// packedInts is an array of integers of one width, the least of 1, 2 or 4 bytes that the largest
// integer needs.
type packedInts struct {
	bytes  []uint8
	halves []uint16
	words  []uint32
}

func newPackedInts(n, largest int) packedInts {
	switch {
	case largest <= math.MaxUint8:
		return packedInts{bytes: make([]uint8, n)}
	case largest <= math.MaxUint16:
		return packedInts{halves: make([]uint16, n)}
	}
	return packedInts{words: make([]uint32, n)}
}

func (o *packedInts) len() int { return len(o.bytes) + len(o.halves) + len(o.words) }

func (o *packedInts) at(i uint32) uint32 {
	switch {
	case o.bytes != nil:
		return uint32(o.bytes[i])
	case o.halves != nil:
		return uint32(o.halves[i])
	}
	return o.words[i]
}

func (o *packedInts) set(i, v uint32) {
	switch {
	case o.bytes != nil:
		o.bytes[i] = uint8(v)
	case o.halves != nil:
		o.halves[i] = uint16(v)
	default:
		o.words[i] = v
	}
}

// count increments the counter of the number at each place.
func (o *packedInts) count(places, counters []uint32) {
	switch {
	case o.bytes != nil:
		for _, p := range places {
			counters[o.bytes[p]]++
		}
	case o.halves != nil:
		for _, p := range places {
			counters[o.halves[p]]++
		}
	default:
		for _, p := range places {
			counters[o.words[p]]++
		}
	}
}
