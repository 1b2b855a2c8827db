package bolt

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// The binary form of rows and log entries. Both start with flags that name the
// common cases, so that these cost no further byte, go on with variable-length
// integers and words, and end with the value, whose length is what is left.
//
// A word is a text that many rows share. It is written as its number in the
// dictionary, or in place when it is too long to be worth an entry: an even
// integer is twice the number (0 the empty word), an odd one twice the length
// plus one, followed by the bytes.

// Flags of a row. The bits of a choice of several are grouped by a mask.
const (
	rowFor           = 1 << iota // CreatedFor is not empty
	rowObserved                  // LastObserved differs from CreatedOn
	rowLastRun                   // LastRunID is not the default
	rowPipeline                  // PipelineName is not empty
	rowRegistry                  // RegistryName or RegistryVersion is not empty
	rowTrace                     // the trace id, 16 bytes
	rowNoOp                      // the no-op property is "true"
	rowProperties                // further properties
	rowVersionText               // Version is no canonical positive number
	rowSchema                    // SchemaVersion is not 1
	rowCreatedSame               // AspectCreated repeats CreatedOn, CreatedBy, CreatedFor
	rowCreatedOther              // AspectCreated is written out
	rowModifiedSame              // AspectModified, likewise
	rowModifiedOther             //
	rowFlagEnd
)

// Longest texts that get a number: run ids must, since the run index is keyed by it.
const (
	storeWordBytes     = store.MaxRunBytes
	storePropertyBytes = 64
)

const propertyTrueText = "true"

// Properties that clients repeat on each row; the values of others stay in place.
func sharedProperty(key string) bool {
	return key == "clientId" || key == "clientVersion" || key == model.PropertyAppSource
}

// storeWordNumbers gives a text its number, a new one if need be.
type storeWordNumbers func(text string) (uint32, error)

// storeEncoder appends to raw. The first error of the dictionary is kept.
type storeEncoder struct {
	raw     []byte
	numbers storeWordNumbers
	err     error
}

func (e *storeEncoder) uvarint(n uint64) { e.raw = binary.AppendUvarint(e.raw, n) }
func (e *storeEncoder) varint(n int64)   { e.raw = binary.AppendVarint(e.raw, n) }

func (e *storeEncoder) text(s string) {
	e.uvarint(uint64(len(s)))
	e.raw = append(e.raw, s...)
}

func (e *storeEncoder) word(s string, longest int) {
	if s == "" {
		e.uvarint(0)
		return
	}
	if len(s) > longest {
		e.uvarint(uint64(len(s))<<1 | 1)
		e.raw = append(e.raw, s...)
		return
	}
	number, err := e.numbers(s)
	if err != nil && e.err == nil {
		e.err = err
	}
	e.uvarint(uint64(number) << 1)
}

func storeEncodeRow(rec *model.Record, numbers storeWordNumbers) ([]byte, error) {
	e := storeEncoder{raw: make([]byte, 0, len(rec.Value)+128), numbers: numbers}
	sys := &rec.System
	flags, others := rowFlags(rec)
	e.uvarint(flags)
	// The run comes first: Put and Remove look at nothing else of the row they replace.
	e.word(sys.RunID, storeWordBytes)
	e.varint(rec.CreatedOn)
	e.word(string(rec.CreatedBy), storeWordBytes)
	e.uvarint(rec.Sequence)
	if flags&rowFor != 0 {
		e.word(string(rec.CreatedFor), storeWordBytes)
	}
	if flags&rowObserved != 0 {
		e.varint(sys.LastObserved - rec.CreatedOn)
	}
	if flags&rowLastRun != 0 {
		e.word(sys.LastRunID, storeWordBytes)
	}
	if flags&rowPipeline != 0 {
		e.word(sys.PipelineName, storeWordBytes)
	}
	if flags&rowRegistry != 0 {
		e.word(sys.RegistryName, storeWordBytes)
		e.word(sys.RegistryVersion, storeWordBytes)
	}
	e.version(sys.Version, flags)
	if flags&rowSchema != 0 {
		e.varint(sys.SchemaVersion)
	}
	e.stamp(sys.AspectCreated, rec, flags&rowCreatedOther)
	e.stamp(sys.AspectModified, rec, flags&rowModifiedOther)
	e.properties(sys.Properties, flags, others)
	e.raw = append(e.raw, rec.Value...)
	return e.raw, e.err
}

// rowFlags also counts the properties that have no flag of their own.
func rowFlags(rec *model.Record) (flags uint64, others int) {
	sys := &rec.System
	set := func(flag uint64, on bool) {
		if on {
			flags |= flag
		}
	}
	set(rowFor, rec.CreatedFor != "")
	set(rowObserved, sys.LastObserved != rec.CreatedOn)
	set(rowLastRun, sys.LastRunID != model.DefaultRunID)
	set(rowPipeline, sys.PipelineName != "")
	set(rowRegistry, sys.RegistryName != "" || sys.RegistryVersion != "")
	set(rowVersionText, !canonicalVersion(sys.Version))
	set(rowSchema, sys.SchemaVersion != 1)
	set(stampFlag(sys.AspectCreated, rec, rowCreatedSame, rowCreatedOther), true)
	set(stampFlag(sys.AspectModified, rec, rowModifiedSame, rowModifiedOther), true)

	others = len(sys.Properties)
	if isTrace(sys.Properties[model.PropertyTraceID]) {
		flags |= rowTrace
		others--
	}
	if sys.Properties[model.PropertyNoOp] == propertyTrueText {
		flags |= rowNoOp
		others--
	}
	set(rowProperties, others > 0)
	return flags, others
}

func stampFlag(stamp *model.AuditStamp, rec *model.Record, same, other uint64) uint64 {
	switch {
	case stamp == nil:
		return 0
	case *stamp == model.AuditStamp{Time: rec.CreatedOn, Actor: rec.CreatedBy, Impersonator: rec.CreatedFor}:
		return same
	}
	return other
}

// canonicalVersion reports whether the text is what the number prints as.
func canonicalVersion(text string) bool {
	n, err := strconv.ParseUint(text, 10, 63)
	return err == nil && n > 0 && text[0] != '0' && text[0] != '+'
}

// isTrace reports whether the text is 32 lower-case hex digits, the form that
// comes back unchanged from 16 bytes.
func isTrace(text string) bool {
	if len(text) != 32 {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

func (e *storeEncoder) version(text string, flags uint64) {
	if flags&rowVersionText != 0 {
		e.text(text)
		return
	}
	n, _ := strconv.ParseUint(text, 10, 63) // canonical, as the flag says
	e.uvarint(n)
}

func (e *storeEncoder) stamp(stamp *model.AuditStamp, rec *model.Record, written uint64) {
	if written == 0 {
		return
	}
	e.varint(stamp.Time - rec.CreatedOn)
	e.word(string(stamp.Actor), storeWordBytes)
	e.word(string(stamp.Impersonator), storeWordBytes)
}

func (e *storeEncoder) trace(text string) {
	e.raw, _ = hex.AppendDecode(e.raw, []byte(text)) // checked by isTrace
}

func (e *storeEncoder) properties(properties map[string]string, flags uint64, others int) {
	if flags&rowTrace != 0 {
		e.trace(properties[model.PropertyTraceID])
	}
	if flags&rowProperties == 0 {
		return
	}
	e.uvarint(uint64(others))
	for key, value := range properties {
		if key == model.PropertyTraceID && flags&rowTrace != 0 || key == model.PropertyNoOp && flags&rowNoOp != 0 {
			continue
		}
		shared := 0
		if sharedProperty(key) {
			shared = storePropertyBytes
		}
		e.word(key, shared)
		e.word(value, shared)
	}
}

// Flags of a log entry.
const (
	entryTrace     = 1 << iota // TraceID as 16 bytes
	entryTraceText             // TraceID in another form
	entryVersions              // OldVersion or NewVersion is not 0
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
}

func storeEncodeEntry(entry *store.Entry, id uint64, aspect uint32, numbers storeWordNumbers) ([]byte, error) {
	e := storeEncoder{raw: make([]byte, 0, len(entry.Value)+64), numbers: numbers}
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
	e.raw = append(e.raw, kind, flags)
	e.uvarint(id)
	e.uvarint(uint64(aspect))
	e.word(string(entry.Actor), storeWordBytes)
	e.varint(entry.Time)
	e.word(entry.RunID, storeWordBytes)
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
	e.raw = append(e.raw, entry.Value...)
	return e.raw, e.err
}

// storeTexts is where a decoder looks numbers up; storeSource offers it.
type storeTexts interface {
	text(d storeDictionary, number uint32) (string, bool)
}

// storeDecoder takes bytes from the front of raw. Once something does not fit
// it is bad and gives zero values.
type storeDecoder struct {
	raw   []byte
	texts storeTexts
	bad   bool
}

func (d *storeDecoder) check(what string) error {
	if d.bad {
		return storeCorrupt(what)
	}
	return nil
}

func (d *storeDecoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.raw)
	if n <= 0 {
		d.bad, d.raw = true, nil
		return 0
	}
	d.raw = d.raw[n:]
	return v
}

func (d *storeDecoder) varint() int64 {
	v, n := binary.Varint(d.raw)
	if n <= 0 {
		d.bad, d.raw = true, nil
		return 0
	}
	d.raw = d.raw[n:]
	return v
}

func (d *storeDecoder) uint32() uint32 {
	v := d.uvarint()
	if v > math.MaxUint32 {
		d.bad, d.raw = true, nil
		return 0
	}
	return uint32(v)
}

func (d *storeDecoder) take(n uint64) []byte {
	if n > uint64(len(d.raw)) {
		d.bad, d.raw = true, nil
		return nil
	}
	taken := d.raw[:n]
	d.raw = d.raw[n:]
	return taken
}

func (d *storeDecoder) text() string { return string(d.take(d.uvarint())) }

// wordNumber is the number of a word, 0 for the empty word and those in place.
func (d *storeDecoder) wordNumber() uint32 {
	v := d.uvarint()
	if v&1 == 1 {
		d.take(v >> 1)
		return 0
	}
	if v>>1 > math.MaxUint32 {
		d.bad = true
		return 0
	}
	return uint32(v >> 1)
}

func (d *storeDecoder) word() string {
	v := d.uvarint()
	switch {
	case v == 0:
		return ""
	case v&1 == 1:
		return string(d.take(v >> 1))
	case v>>1 > math.MaxUint32:
		d.bad = true
		return ""
	}
	text, known := d.texts.text(storeWords, uint32(v>>1))
	d.bad = d.bad || !known
	return text
}

func (d *storeDecoder) trace() string { return hex.EncodeToString(d.take(16)) }

// value copies what is left: it outlives the transaction.
func (d *storeDecoder) value() []byte {
	if len(d.raw) == 0 {
		return nil
	}
	return append(make([]byte, 0, len(d.raw)), d.raw...)
}

// storeRowRun reads the run of a row and nothing else.
func storeRowRun(raw []byte) (uint32, error) {
	d := storeDecoder{raw: raw}
	d.uvarint()
	run := d.wordNumber()
	return run, d.check("run of a row")
}

// storeDecodeRow fills all but the key of rec.
func storeDecodeRow(raw []byte, rec *model.Record, texts storeTexts) error {
	d := storeDecoder{raw: raw, texts: texts}
	sys := &rec.System
	flags := d.uvarint()
	sys.RunID = d.word()
	rec.CreatedOn = d.varint()
	rec.CreatedBy = urn.URN(d.word())
	rec.Sequence = d.uvarint()
	if flags&rowFor != 0 {
		rec.CreatedFor = urn.URN(d.word())
	}
	sys.LastObserved = rec.CreatedOn
	if flags&rowObserved != 0 {
		sys.LastObserved += d.varint()
	}
	sys.LastRunID = model.DefaultRunID
	if flags&rowLastRun != 0 {
		sys.LastRunID = d.word()
	}
	if flags&rowPipeline != 0 {
		sys.PipelineName = d.word()
	}
	if flags&rowRegistry != 0 {
		sys.RegistryName, sys.RegistryVersion = d.word(), d.word()
	}
	sys.Version = d.version(flags)
	sys.SchemaVersion = 1
	if flags&rowSchema != 0 {
		sys.SchemaVersion = d.varint()
	}
	sys.AspectCreated = d.stamp(rec, flags&rowCreatedSame, flags&rowCreatedOther)
	sys.AspectModified = d.stamp(rec, flags&rowModifiedSame, flags&rowModifiedOther)
	sys.Properties = d.properties(flags)
	if d.bad || flags >= rowFlagEnd {
		return storeCorrupt("row")
	}
	rec.Value = d.value()
	return nil
}

func (d *storeDecoder) version(flags uint64) string {
	if flags&rowVersionText != 0 {
		return d.text()
	}
	return strconv.FormatUint(d.uvarint(), 10)
}

func (d *storeDecoder) stamp(rec *model.Record, same, written uint64) *model.AuditStamp {
	switch {
	case same != 0:
		return &model.AuditStamp{Time: rec.CreatedOn, Actor: rec.CreatedBy, Impersonator: rec.CreatedFor}
	case written != 0:
		return &model.AuditStamp{Time: rec.CreatedOn + d.varint(), Actor: urn.URN(d.word()), Impersonator: urn.URN(d.word())}
	}
	return nil
}

func (d *storeDecoder) properties(flags uint64) map[string]string {
	if flags&(rowTrace|rowNoOp|rowProperties) == 0 {
		return nil
	}
	properties := make(map[string]string, 4)
	if flags&rowTrace != 0 {
		properties[model.PropertyTraceID] = d.trace()
	}
	if flags&rowNoOp != 0 {
		properties[model.PropertyNoOp] = propertyTrueText
	}
	if flags&rowProperties != 0 {
		for n := d.uvarint(); n > 0 && !d.bad; n-- {
			key := d.word()
			properties[key] = d.word()
		}
	}
	if len(properties) == 0 {
		return nil
	}
	return properties
}

// storeDecodeEntry gives the entry without sequence and URN, and the id of the URN.
func storeDecodeEntry(raw []byte, texts storeTexts) (entry store.Entry, id uint64, err error) {
	d := storeDecoder{raw: raw, texts: texts}
	head := d.take(2)
	if d.bad || head[0] == 0 || int(head[0]) >= len(entryKinds) || head[1] >= entryFlagEnd {
		return entry, 0, storeCorrupt("log entry")
	}
	flags := head[1]
	entry.Kind = entryKinds[head[0]]
	id = d.uvarint()
	if aspect := d.uint32(); aspect != 0 {
		var known bool
		entry.Aspect, known = texts.text(storeAspectNames, aspect)
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
	if err := d.check("log entry"); err != nil {
		return store.Entry{}, 0, err
	}
	entry.Value = d.value()
	return entry, id, nil
}
