package series

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
	"github.com/cartulary/cartulary/pkg/urn"
)

// A stored document is one format byte, a flag byte, the time in eight bytes,
// and then its texts, each as a length (uvarint) and its bytes. Columns follow
// as a number and that many triples of name, type byte and value.
const (
	tsDocFormat   = 1
	tsDocHeader   = 1 + 1 + 8
	tsDocExploded = 1 // flag

	tsColumnText  = 's'
	tsColumnWhole = 'i'
	tsColumnFloat = 'f'
)

// errTSCorrupt is the cause of errors about values that this package did not write.
var errTSCorrupt = errors.New("what is stored is damaged; restore the data folder from a backup")

func tsEncode(d *timeseries.Document) ([]byte, error) {
	system, err := json.Marshal(&d.System)
	if err != nil {
		return nil, fmt.Errorf("encode system metadata of document %s: %w", d.ID, err)
	}
	b := make([]byte, 0, len(d.Event)+len(system)+len(d.URN)+len(d.Granularity)+len(d.TimePartition)+256)
	b = append(b, tsDocFormat, tsFlag(d.Exploded))
	b = binary.BigEndian.AppendUint64(b, uint64(d.Time))
	for _, text := range []string{
		d.ID, string(d.URN), d.RunID, d.MessageID, d.Granularity, d.Partition, d.TimePartition, d.Parent,
	} {
		b = tsAppendText(b, text)
	}
	b = tsAppendText(b, system)
	b = tsAppendText(b, d.Event)
	b = binary.AppendUvarint(b, uint64(len(d.Columns)))
	for _, name := range slices.Sorted(maps.Keys(d.Columns)) {
		b = tsAppendText(b, name)
		switch v := d.Columns[name].(type) {
		case string:
			b = tsAppendText(append(b, tsColumnText), v)
		case int64:
			b = binary.AppendVarint(append(b, tsColumnWhole), v)
		case float64:
			b = binary.BigEndian.AppendUint64(append(b, tsColumnFloat), math.Float64bits(v))
		}
	}
	return b, nil
}

func tsFlag(exploded bool) byte {
	if exploded {
		return tsDocExploded
	}
	return 0
}

func tsAppendText[T ~string | ~[]byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// tsDocTime reads the time alone.
func tsDocTime(b []byte) (int64, error) {
	if len(b) < tsDocHeader || b[0] != tsDocFormat {
		return 0, errTSCorrupt
	}
	return int64(binary.BigEndian.Uint64(b[2:])), nil
}

// tsDecode reads a document. Its Event is part of b, and its system metadata is
// left in the second result: a filter needs neither a copy nor a parsed form.
func tsDecode(b []byte) (timeseries.Document, []byte, error) {
	var d timeseries.Document
	var err error
	if d.Time, err = tsDocTime(b); err != nil {
		return d, nil, err
	}
	d.Exploded = b[1]&tsDocExploded != 0
	r := tsReader{rest: b[tsDocHeader:]}
	d.ID = string(r.text())
	d.URN = urn.URN(r.text())
	d.RunID = string(r.text())
	d.MessageID = string(r.text())
	d.Granularity = string(r.text())
	d.Partition = string(r.text())
	d.TimePartition = string(r.text())
	d.Parent = string(r.text())
	system := r.text()
	if event := r.text(); len(event) > 0 {
		d.Event = event
	}
	d.Columns = r.columns()
	if r.bad || len(r.rest) > 0 {
		return d, nil, errTSCorrupt
	}
	return d, system, nil
}

// tsDetach makes a decoded document independent of the file.
func tsDetach(d *timeseries.Document, system []byte) error {
	d.Event = slices.Clone(d.Event)
	if err := json.Unmarshal(system, &d.System); err != nil {
		return errTSCorrupt
	}
	return nil
}

// tsReader takes values off the front of a text; after the first bad one it
// gives zero values only.
type tsReader struct {
	rest []byte
	bad  bool
}

func (r *tsReader) fail() { r.rest, r.bad = nil, true }

func (r *tsReader) uvarint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *tsReader) varint() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *tsReader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *tsReader) text() []byte { return r.take(r.uvarint()) }

func (r *tsReader) columns() map[string]any {
	n := r.uvarint()
	if n == 0 || n > uint64(len(r.rest)) {
		r.bad = r.bad || n != 0
		return nil
	}
	columns := make(map[string]any, n)
	for range n {
		name := string(r.text())
		kind := r.take(1)
		if r.bad {
			return nil
		}
		switch kind[0] {
		case tsColumnText:
			columns[name] = string(r.text())
		case tsColumnWhole:
			columns[name] = r.varint()
		case tsColumnFloat:
			if bits := r.take(8); !r.bad {
				columns[name] = math.Float64frombits(binary.BigEndian.Uint64(bits))
			}
		default:
			r.fail()
		}
	}
	return columns
}
