package timeseries

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Spec defines which parts of a time-series aspect become columns.
type Spec struct {
	Stats       []Stat
	Collections []Collection
}

// Stat is one column. Path is the path to its value: members separated by slashes, "*" for each
// element of a list or each value of a map, as in /partitionSpec/partition. Type is KEYWORD,
// DATETIME, INT, LONG, FLOAT or DOUBLE.
type Stat struct{ Path, Name, Type, Agg string }

// Collection is a list or map with elements that become time-series documents of their own. Path is
// the path to the elements (/userCounts/*), Key the member that identifies them, and the paths of
// Stats start at the element.
type Collection struct {
	Path, Name, Key string
	Stats           []Stat
}

// Explode derives the time-series documents of one value of a time-series aspect: the plain
// document first, then one exploded document for each element of each collection, with the columns
// <collection>.<key> and <collection>.<stat>. Of elements with the same key the last one counts.
//
// The id of a document is the MD5, in hex, of timestampMillis, eventGranularity as JSON, the URN,
// the collection and the key of the element (both empty for the plain document), messageId, and
// partitionSpec as JSON. Each part is written as its length in bytes, a colon and its text, so that
// different lists of parts never give the same input. DataHub uses MD5, too; it distinguishes
// documents of one writer and has no security purpose.
//
// The plain document shares value, which must not change. For bad input the error is of kind
// fault.Invalid and names the field.
func Explode(spec Spec, u urn.URN, value json.RawMessage, sys model.SystemMetadata) ([]Document, error) {
	aspect, err := decodeAspect(value)
	if err != nil {
		return nil, err
	}
	base, partitionSpec, err := header(aspect, u, sys)
	if err != nil {
		return nil, err
	}
	plain := base
	plain.ID = documentID(&base, partitionSpec, "", "")
	plain.Event = value
	if plain.Columns, err = columns(aspect, "", spec.Stats); err != nil {
		return nil, err
	}
	base.Parent, base.Exploded = plain.ID, true
	docs := []Document{plain}
	for _, c := range spec.Collections {
		elements, err := explodeCollection(c, aspect, base, partitionSpec)
		if err != nil {
			return nil, err
		}
		docs = append(docs, elements...)
	}
	return docs, nil
}

// Replace returns the steps after which an index holds docs, the result of one Explode, in place of
// the documents with the former ids, which an earlier value under the same id exploded into.
// Elements that only the earlier value had are erased.
func Replace(former []string, docs []Document) []Op {
	ops := make([]Op, 0, len(docs)+1)
	if len(former) > 0 {
		present := make(map[string]bool, len(docs))
		for i := range docs {
			present[docs[i].ID] = true
		}
		var gone []string
		for _, id := range former {
			if !present[id] {
				gone = append(gone, id)
			}
		}
		if len(gone) > 0 {
			ops = append(ops, Op{Erase: &Query{IDs: gone}})
		}
	}
	for i := range docs {
		ops = append(ops, Op{Upsert: &docs[i]})
	}
	return ops
}

func decodeAspect(value json.RawMessage) (map[string]any, error) {
	decoded, err := decodeJSON(value)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "the aspect is not JSON")
	}
	aspect, ok := decoded.(map[string]any)
	if !ok {
		return nil, fault.New(fault.Invalid, "the aspect must be a JSON object")
	}
	return aspect, nil
}

// header fills the fields that plain and exploded documents share.
func header(aspect map[string]any, u urn.URN, sys model.SystemMetadata) (Document, string, error) {
	d := Document{URN: u, RunID: sys.RunID, System: sys}
	at, ok := aspect["timestampMillis"]
	if !ok || at == nil {
		return d, "", fault.New(fault.Invalid, "timestampMillis is missing; a time-series aspect needs it in epoch milliseconds")
	}
	number, _ := at.(json.Number)
	millis, err := number.Int64()
	if err != nil {
		return d, "", fault.New(fault.Invalid, "timestampMillis must be a whole number of epoch milliseconds")
	}
	d.Time = millis
	if id, ok := aspect["messageId"].(string); ok {
		d.MessageID = id
	}
	if granularity, ok := aspect["eventGranularity"]; ok && granularity != nil {
		d.Granularity = jsonText(granularity)
	}
	spec, ok := aspect["partitionSpec"].(map[string]any)
	if !ok {
		return d, "", nil
	}
	if partition, ok := spec["partition"].(string); ok {
		d.Partition = partition
	}
	if timePartition, ok := spec["timePartition"]; ok && timePartition != nil {
		d.TimePartition = jsonText(timePartition)
	}
	return d, jsonText(spec), nil
}

func documentID(d *Document, partitionSpec, collection, key string) string {
	hash := md5.New()
	for _, part := range []string{
		strconv.FormatInt(d.Time, 10), d.Granularity, string(d.URN), collection, key, d.MessageID, partitionSpec,
	} {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

func explodeCollection(c Collection, aspect map[string]any, base Document, partitionSpec string) ([]Document, error) {
	var docs []Document
	places := map[string]int{} // key to index in docs
	for i, element := range valuesAt(aspect, c.Path) {
		key, ok := elementKey(element, c.Key)
		if !ok {
			return nil, fault.New(fault.Invalid, "%s: element %d has no %s", c.Name, i, c.Key)
		}
		d := base
		d.ID = documentID(&base, partitionSpec, c.Name, key)
		var err error
		if d.Columns, err = columns(element, c.Name+".", c.Stats); err != nil {
			return nil, err
		}
		d.Columns[c.Name+"."+c.Key] = key
		if at, seen := places[key]; seen {
			docs[at] = d
			continue
		}
		places[key] = len(docs)
		docs = append(docs, d)
	}
	return docs, nil
}

func elementKey(element any, name string) (string, bool) {
	record, ok := element.(map[string]any)
	if !ok {
		return "", false
	}
	switch key := record[name].(type) {
	case nil:
		return "", false
	case map[string]any, []any:
		return jsonText(key), true
	default:
		text, ok := textOf(scalar(key))
		return text, ok
	}
}

func columns(value any, prefix string, stats []Stat) (map[string]any, error) {
	cols := make(map[string]any, len(stats)+1)
	for _, s := range stats {
		found := valuesAt(value, s.Path)
		if len(found) == 0 {
			continue
		}
		single := found[0]
		if strings.Contains(s.Path, "*") {
			single = found
		}
		column, err := columnValue(s, single)
		if err != nil {
			return nil, err
		}
		cols[prefix+s.Name] = column
	}
	return cols, nil
}

// columnValue converts a value to the type of its column. Lists and records are stored as JSON
// text, regardless of the type.
func columnValue(s Stat, value any) (any, error) {
	switch value.(type) {
	case map[string]any, []any:
		return jsonText(value), nil
	}
	text, _ := textOf(scalar(value))
	switch s.Type {
	case "KEYWORD":
		if number, ok := value.(json.Number); ok {
			return number.String(), nil
		}
		return text, nil
	case "DATETIME", "INT", "LONG":
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fault.New(fault.Invalid, "%s must be a whole number", s.Path)
		}
		return n, nil
	case "FLOAT", "DOUBLE":
		f, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
			return nil, fault.New(fault.Invalid, "%s must be a number", s.Path)
		}
		return f, nil
	}
	return nil, fmt.Errorf("stat %s has the unknown type %q", s.Name, s.Type)
}

// valuesAt returns the values at a path, maps in the order of their keys. It omits null and absent
// members.
func valuesAt(value any, path string) []any {
	found := []any{value}
	for step := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		var next []any
		for _, v := range found {
			next = appendStep(next, v, step)
		}
		found = next
	}
	return found
}

func appendStep(to []any, value any, step string) []any {
	add := func(v any) {
		if v != nil {
			to = append(to, v)
		}
	}
	switch v := value.(type) {
	case []any:
		if step == "*" {
			for _, element := range v {
				add(element)
			}
		}
	case map[string]any:
		if step != "*" {
			add(v[step])
			break
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			add(v[name])
		}
	}
	return to
}

// jsonText encodes a decoded value with sorted members and minimal escaping. Encoding a decoded
// value cannot fail.
func jsonText(value any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return ""
	}
	return strings.TrimSuffix(text.String(), "\n")
}
