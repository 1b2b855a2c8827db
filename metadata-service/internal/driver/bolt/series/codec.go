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

// A stored document is one format byte, a flag byte, the time in eight bytes, and its texts, each
// as a length (uvarint) and its bytes. Then follow the number of columns and, per column, the name,
// a type byte and the value.
const (
	docFormat   = 1
	docHeader   = 1 + 1 + 8
	docExploded = 1 // flag

	columnText  = 's'
	columnWhole = 'i'
	columnFloat = 'f'
)

// errCorrupt is the cause of errors about values that this package did not write.
var errCorrupt = errors.New("stored data is damaged; restore the data folder from a backup")

func encode(d *timeseries.Document) ([]byte, error) {
	system, err := json.Marshal(&d.System)
	if err != nil {
		return nil, fmt.Errorf("encode system metadata of document %s: %w", d.ID, err)
	}
	b := make([]byte, 0, len(d.Event)+len(system)+len(d.URN)+len(d.Granularity)+len(d.TimePartition)+256)
	b = append(b, docFormat, flagOf(d.Exploded))
	b = binary.BigEndian.AppendUint64(b, uint64(d.Time))
	for _, text := range []string{
		d.ID, string(d.URN), d.RunID, d.MessageID, d.Granularity, d.Partition, d.TimePartition, d.Parent,
	} {
		b = appendText(b, text)
	}
	b = appendText(b, system)
	b = appendText(b, d.Event)
	b = binary.AppendUvarint(b, uint64(len(d.Columns)))
	for _, name := range slices.Sorted(maps.Keys(d.Columns)) {
		b = appendText(b, name)
		switch v := d.Columns[name].(type) {
		case string:
			b = appendText(append(b, columnText), v)
		case int64:
			b = binary.AppendVarint(append(b, columnWhole), v)
		case float64:
			b = binary.BigEndian.AppendUint64(append(b, columnFloat), math.Float64bits(v))
		}
	}
	return b, nil
}

func flagOf(exploded bool) byte {
	if exploded {
		return docExploded
	}
	return 0
}

func appendText[T ~string | ~[]byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// docTime reads only the time of a document.
func docTime(b []byte) (int64, error) {
	if len(b) < docHeader || b[0] != docFormat {
		return 0, errCorrupt
	}
	return int64(binary.BigEndian.Uint64(b[2:])), nil
}

// decode reads a document. Its Event is a part of b, and its system metadata is returned unparsed:
// a filter needs neither a copy nor the parsed form.
func decode(b []byte) (timeseries.Document, []byte, error) {
	var d timeseries.Document
	var err error
	if d.Time, err = docTime(b); err != nil {
		return d, nil, err
	}
	d.Exploded = b[1]&docExploded != 0
	r := reader{rest: b[docHeader:]}
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
		return d, nil, errCorrupt
	}
	return d, system, nil
}

// detach makes a decoded document independent of the file.
func detach(d *timeseries.Document, system []byte) error {
	d.Event = slices.Clone(d.Event)
	if err := json.Unmarshal(system, &d.System); err != nil {
		return errCorrupt
	}
	return nil
}

// reader consumes values from the front of a byte slice. After the first malformed value it returns
// only zero values.
type reader struct {
	rest []byte
	bad  bool
}

func (r *reader) fail() { r.rest, r.bad = nil, true }

func (r *reader) uvarint() uint64 {
	n, size := binary.Uvarint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) varint() int64 {
	n, size := binary.Varint(r.rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.rest = r.rest[size:]
	return n
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	taken := r.rest[:n:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) text() []byte { return r.take(r.uvarint()) }

func (r *reader) columns() map[string]any {
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
		case columnText:
			columns[name] = string(r.text())
		case columnWhole:
			columns[name] = r.varint()
		case columnFloat:
			if bits := r.take(8); !r.bad {
				columns[name] = math.Float64frombits(binary.BigEndian.Uint64(bits))
			}
		default:
			r.fail()
		}
	}
	return columns
}
