package bolt

import (
	"fmt"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Flags of a log entry.
const (
	entryTrace     = 1 << iota // TraceID as 16 bytes
	entryTraceText             // TraceID in another form
	entryVersions              // OldVersion or NewVersion is not 0
	entryOrigin                // Origin is not empty; since format 3
	entryFlagEnd
)

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

func encodeEntry(entry *store.Entry, id uint64, aspect uint32, numbers wordNumbers) ([]byte, error) {
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
	e.raw = append(e.raw, kind, flags)
	e.uvarint(id)
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
	e.raw = append(e.raw, entry.Value...)
	return e.raw, e.err
}

// entryValue is the value that an encoded entry ends with. The caller of Append may
// change its own.
func entryValue(raw []byte, size int) []byte {
	if size == 0 {
		return nil
	}
	return raw[len(raw)-size : len(raw) : len(raw)]
}

// decodeEntry gives the entry without sequence and URN, and the id of the URN.
func decodeEntry(raw []byte, texts textLookup) (entry store.Entry, id uint64, err error) {
	d := decoder{raw: raw, texts: texts}
	head := d.take(2)
	if d.bad || head[0] == 0 || int(head[0]) >= len(entryKinds) || head[1] >= entryFlagEnd {
		return entry, 0, corrupt("log entry")
	}
	flags := head[1]
	entry.Kind = entryKinds[head[0]]
	id = d.uvarint()
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
	if err := d.check("log entry"); err != nil {
		return store.Entry{}, 0, err
	}
	entry.Value = d.value()
	return entry, id, nil
}
