package roaring

import "math"

// ords are small numbers in as few bytes as the largest needs.
type ords struct {
	b []uint8
	h []uint16
	w []uint32
}

func makeOrds(n, largest int) ords {
	switch {
	case largest <= math.MaxUint8:
		return ords{b: make([]uint8, n)}
	case largest <= math.MaxUint16:
		return ords{h: make([]uint16, n)}
	}
	return ords{w: make([]uint32, n)}
}

func (o *ords) len() int { return len(o.b) + len(o.h) + len(o.w) }

func (o *ords) at(i uint32) uint32 {
	switch {
	case o.b != nil:
		return uint32(o.b[i])
	case o.h != nil:
		return uint32(o.h[i])
	}
	return o.w[i]
}

func (o *ords) set(i, v uint32) {
	switch {
	case o.b != nil:
		o.b[i] = uint8(v)
	case o.h != nil:
		o.h[i] = uint16(v)
	default:
		o.w[i] = v
	}
}

// count adds one to the counter of the number at each place.
func (o *ords) count(places, counters []uint32) {
	switch {
	case o.b != nil:
		for _, p := range places {
			counters[o.b[p]]++
		}
	case o.h != nil:
		for _, p := range places {
			counters[o.h[p]]++
		}
	default:
		for _, p := range places {
			counters[o.w[p]]++
		}
	}
}
