package bolt

import (
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Flags of a log entry.
const (
	entryTrace        = 1 << iota // TraceID as 16 bytes
	entryTraceText                // TraceID in another form
	entryVersions                 // OldVersion or NewVersion is not 0
	entryOrigin                   // Origin is not empty; since format 3
	entryCaller                   // Caller as five texts; since format 5
	entryCallerBefore             // distance to the entry that holds the same Caller, in sequences; since format 5
	entryFlagEnd
)

// entryPlaces locates the parts of an entry that are stored outside of it.
type entryPlaces struct {
	urn    uint64 // id, 0 for none
	caller uint64 // distance in sequences to the entry that holds the caller, 0 when the entry holds its own
}

// callerPlace is the last entry of a transaction that holds a caller. Later entries of the same
// request refer to it: a batch writes hundreds of entries for one request.
type callerPlace struct {
	caller   *store.Caller
	sequence uint64
}

// distance returns the distance in sequences to an earlier entry with the same caller, 0 when there
// is none.
func (p callerPlace) distance(c *store.Caller, sequence uint64) uint64 {
	if c == nil || c != p.caller {
		return 0
	}
	return sequence - p.sequence
}

func (p *callerPlace) note(c *store.Caller, sequence uint64) {
	if c != nil && c != p.caller {
		*p = callerPlace{c, sequence}
	}
}

var entryKinds = [...]store.EntryKind{
	1: store.Written,
	2: store.Touched,
	3: store.Deleted,
	4: store.EntityDeleted,
	5: store.Document,
	6: store.DocumentsErased,
	7: store.Restated,
	8: store.Message,
}

func encodeEntry(entry *store.Entry, at entryPlaces, aspect uint32, numbers wordNumbers) ([]byte, error) {
	e := encoder{raw: make([]byte, 0, len(entry.Value)+64), numbers: numbers}
	kind := byte(0)
	for k, name := range entryKinds {
		if name == entry.Kind && k > 0 {
			kind = byte(k)
		}
	}
	if kind == 0 {
		return nil, fmt.Errorf("append to the change log: unknown kind of entry %q", entry.Kind)
	}
	var flags byte
	switch {
	case isTrace(entry.TraceID):
		flags |= entryTrace
	case entry.TraceID != "":
		flags |= entryTraceText
	}
	if entry.OldVersion != 0 || entry.NewVersion != 0 {
		flags |= entryVersions
	}
	if entry.Origin != "" {
		flags |= entryOrigin
	}
	switch {
	case at.caller > 0:
		flags |= entryCallerBefore
	case entry.Caller != nil:
		flags |= entryCaller
	}
	e.raw = append(e.raw, kind, flags)
	e.uvarint(at.urn)
	e.uvarint(uint64(aspect))
	e.word(string(entry.Actor), wordBytes)
	e.varint(entry.Time)
	e.word(entry.RunID, wordBytes)
	if flags&entryVersions != 0 {
		e.varint(entry.OldVersion)
		e.varint(entry.NewVersion)
	}
	switch {
	case flags&entryTrace != 0:
		e.trace(entry.TraceID)
	case flags&entryTraceText != 0:
		e.text(entry.TraceID)
	}
	if flags&entryOrigin != 0 {
		e.word(entry.Origin, wordBytes)
	}
	switch {
	case flags&entryCallerBefore != 0:
		e.uvarint(at.caller)
	case flags&entryCaller != 0:
		e.caller(entry.Caller)
	}
	e.raw = append(e.raw, entry.Value...)
	return e.raw, e.err
}

// caller writes the texts inline: addresses and ids are short-lived, and a word stays in the
// dictionary for good.
func (e *encoder) caller(c *store.Caller) {
	for _, text := range []string{c.Request, c.Address, c.Agent, c.Door, c.Token} {
		e.text(text)
	}
}

func (d *decoder) caller() *store.Caller {
	c := &store.Caller{}
	for _, text := range []*string{&c.Request, &c.Address, &c.Agent, &c.Door, &c.Token} {
		*text = d.text()
	}
	return c
}

// entryValue returns the value at the end of an encoded entry. It is used instead of the value
// passed to Append, which the caller may change.
func entryValue(raw []byte, size int) []byte {
	if size == 0 {
		return nil
	}
	return raw[len(raw)-size : len(raw) : len(raw)]
}

// decodeEntry returns the entry without its sequence and without the parts stored elsewhere, and
// the places of those parts.
func decodeEntry(raw []byte, texts textLookup) (entry store.Entry, at entryPlaces, err error) {
	d := decoder{raw: raw, texts: texts}
	head := d.take(2)
	if d.bad || head[0] == 0 || int(head[0]) >= len(entryKinds) || head[1] >= entryFlagEnd {
		return entry, at, corrupt("log entry")
	}
	flags := head[1]
	entry.Kind = entryKinds[head[0]]
	at.urn = d.uvarint()
	if aspect := d.uint32(); aspect != 0 {
		var known bool
		entry.Aspect, known = texts.text(aspectNames, aspect)
		d.bad = d.bad || !known
	}
	entry.Actor = urn.URN(d.word())
	entry.Time = d.varint()
	entry.RunID = d.word()
	if flags&entryVersions != 0 {
		entry.OldVersion, entry.NewVersion = d.varint(), d.varint()
	}
	switch {
	case flags&entryTrace != 0:
		entry.TraceID = d.trace()
	case flags&entryTraceText != 0:
		entry.TraceID = d.text()
	}
	if flags&entryOrigin != 0 {
		entry.Origin = d.word()
	}
	switch {
	case flags&entryCallerBefore != 0:
		at.caller = d.uvarint()
	case flags&entryCaller != 0:
		entry.Caller = d.caller()
	}
	if err := d.check("log entry"); err != nil {
		return store.Entry{}, entryPlaces{}, err
	}
	entry.Value = d.value()
	return entry, at, nil
}
