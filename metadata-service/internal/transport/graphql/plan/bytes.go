package plan

// Sizes of the parts of a plan in bytes: measured values, rounded up.
const (
	textBytes     = 50 // a parsed text, for each byte of it
	variantBytes  = 500
	setBytes      = 200
	fieldBytes    = 150
	argumentBytes = 60
	nodeBytes     = 200
	partBytes     = 32
)

// bytes estimates the size of a set without the sets below it. A nil set has a size, too, because
// the cache holds an entry for it.
func (s *set) bytes() int64 {
	total := setBytes
	if s == nil {
		return int64(total)
	}
	for i := range s.fields {
		f := &s.fields[i]
		total += fieldBytes + argumentBytes*len(f.arguments)
		if f.below != nil {
			total += nodeBytes + partBytes*len(f.below.parts)
		}
	}
	return int64(total)
}
