package plan

// What the parts of a plan occupy, in bytes: about as much as was measured, and
// rather more than less.
const (
	textBytes     = 50 // a parsed text, for each byte of it
	variantBytes  = 500
	setBytes      = 200
	fieldBytes    = 150
	argumentBytes = 60
	nodeBytes     = 200
	partBytes     = 32
)

// bytes estimates what a set occupies, without the sets below it. That there is
// none is kept, too.
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
