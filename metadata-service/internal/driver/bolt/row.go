package bolt

import (
	"strconv"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Flags of a row.
const (
	rowFor           = 1 << iota // CreatedFor is not empty
	rowObserved                  // LastObserved differs from CreatedOn
	rowLastRun                   // LastRunID is not the default
	rowPipeline                  // PipelineName is not empty
	rowRegistry                  // RegistryName or RegistryVersion is not empty
	rowTrace                     // the trace id, 16 bytes
	rowNoOp                      // the no-op property is "true"
	rowProperties                // further properties
	rowVersionText               // Version is not a canonical positive number
	rowSchema                    // SchemaVersion is not 1
	rowCreatedSame               // AspectCreated repeats CreatedOn, CreatedBy, CreatedFor
	rowCreatedOther              // AspectCreated is written out
	rowModifiedSame              // AspectModified, likewise
	rowModifiedOther             // and likewise
	rowFlagEnd
)

const propertyTrueText = "true"

// sharedProperty reports whether clients repeat the property on each row. Values of such properties
// get a number; others are stored inline.
func sharedProperty(key string) bool {
	return key == "clientId" || key == "clientVersion" || key == model.PropertyAppSource || key == model.PropertySource
}

func encodeRow(rec *model.Record, numbers wordNumbers) ([]byte, error) {
	e := encoder{raw: make([]byte, 0, len(rec.Value)+128), numbers: numbers}
	sys := &rec.System
	flags, others := rowFlags(rec)
	e.uvarint(flags)
	// The run comes first: Put and Remove read no other part of the row they replace.
	e.word(sys.RunID, wordBytes)
	e.varint(rec.CreatedOn)
	e.word(string(rec.CreatedBy), wordBytes)
	e.uvarint(rec.Sequence)
	if flags&rowFor != 0 {
		e.word(string(rec.CreatedFor), wordBytes)
	}
	if flags&rowObserved != 0 {
		e.varint(sys.LastObserved - rec.CreatedOn)
	}
	if flags&rowLastRun != 0 {
		e.word(sys.LastRunID, wordBytes)
	}
	if flags&rowPipeline != 0 {
		e.word(sys.PipelineName, wordBytes)
	}
	if flags&rowRegistry != 0 {
		e.word(sys.RegistryName, wordBytes)
		e.word(sys.RegistryVersion, wordBytes)
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

// rowFlags returns the flags of a row and the number of properties without a flag.
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

// canonicalVersion reports whether text is the decimal form of a positive number.
func canonicalVersion(text string) bool {
	n, err := strconv.ParseUint(text, 10, 63)
	return err == nil && n > 0 && text[0] != '0' && text[0] != '+'
}

func (e *encoder) version(text string, flags uint64) {
	if flags&rowVersionText != 0 {
		e.text(text)
		return
	}
	n, _ := strconv.ParseUint(text, 10, 63) // canonical, as the flag indicates
	e.uvarint(n)
}

func (e *encoder) stamp(stamp *model.AuditStamp, rec *model.Record, written uint64) {
	if written == 0 {
		return
	}
	e.varint(stamp.Time - rec.CreatedOn)
	e.word(string(stamp.Actor), wordBytes)
	e.word(string(stamp.Impersonator), wordBytes)
}

func (e *encoder) properties(properties map[string]string, flags uint64, others int) {
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
			shared = propertyBytes
		}
		e.word(key, shared)
		e.word(value, shared)
	}
}

// rowRun reads only the run number of a row.
func rowRun(raw []byte) (uint32, error) {
	run, _, err := rowHead(raw)
	return run, err
}

// rowHead reads only the run number and the creation time of a row.
func rowHead(raw []byte) (run uint32, created int64, err error) {
	d := decoder{raw: raw}
	d.uvarint()
	run, created = d.wordNumber(), d.varint()
	return run, created, d.check("run of a row")
}

// decodeRow sets all fields of rec except its key.
func decodeRow(raw []byte, rec *model.Record, texts textLookup) error {
	d := decoder{raw: raw, texts: texts}
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
		return corrupt("row")
	}
	rec.Value = d.value()
	return nil
}

func (d *decoder) version(flags uint64) string {
	if flags&rowVersionText != 0 {
		return d.text()
	}
	return strconv.FormatUint(d.uvarint(), 10)
}

func (d *decoder) stamp(rec *model.Record, same, written uint64) *model.AuditStamp {
	switch {
	case same != 0:
		return &model.AuditStamp{Time: rec.CreatedOn, Actor: rec.CreatedBy, Impersonator: rec.CreatedFor}
	case written != 0:
		return &model.AuditStamp{Time: rec.CreatedOn + d.varint(), Actor: urn.URN(d.word()), Impersonator: urn.URN(d.word())}
	}
	return nil
}

func (d *decoder) properties(flags uint64) map[string]string {
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
