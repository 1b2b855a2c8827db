package bolt

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Read operations shared by readers and transactions; they work on any source.

const defaultLimit = 1000 // of a listing whose caller gives no limit

func findEntity(src source, u urn.URN) (e entity, found bool, err error) {
	key := []byte(u)
	raw := src.get(bucketEntities, key)
	if raw == nil {
		raw = src.get(bucketRetired, key)
	}
	if raw == nil {
		return e, false, nil
	}
	d := decoder{raw: raw}
	e = entity{id: d.uvarint(), latest: d.uvarint()}
	return e, true, d.check("entity")
}

func readRow(src source, key store.Key, row int64) (*model.Record, error) {
	return (&rowReader{src: src}).read(key, row)
}

// rowReader reads rows of a source. Consecutive reads mostly concern the same entity, which is then
// looked up only once.
type rowReader struct {
	src    source
	urn    urn.URN // looked up last
	entity entity
	found  bool
}

func (r *rowReader) read(key store.Key, row int64) (*model.Record, error) {
	raw, err := r.raw(key, row)
	if raw == nil || err != nil {
		return nil, err
	}
	rec := &model.Record{URN: key.URN, Aspect: key.Aspect, Row: row}
	return rec, decodeRow(raw, rec, r.src)
}

// raw returns a row in stored form, or nil when there is none. The result is valid as long as the
// source.
func (r *rowReader) raw(key store.Key, row int64) ([]byte, error) {
	if row < 0 {
		return nil, nil
	}
	if r.urn != key.URN || r.urn == "" {
		e, found, err := findEntity(r.src, key.URN)
		if err != nil {
			return nil, err
		}
		r.urn, r.entity, r.found = key.URN, e, found
	}
	if !r.found {
		return nil, nil
	}
	src, e := r.src, r.entity
	aspect, found := src.number(aspectNames, key.Aspect)
	if !found {
		return nil, nil
	}
	bucket, k := rowKey(e.id, aspect, row)
	return src.get(bucket, k), nil
}

func readRows(src source, key store.Key) ([]int64, error) {
	e, found, err := findEntity(src, key.URN)
	if !found {
		return nil, err
	}
	aspect, found := src.number(aspectNames, key.Aspect)
	if !found {
		return nil, nil
	}
	_, prefix := rowKey(e.id, aspect, 0)
	var rows []int64
	for k := range src.each(bucketHistory, prefix, prefix) {
		if len(k) != len(prefix)+8 {
			return nil, corrupt("key of a history row")
		}
		rows = append(rows, int64(binary.BigEndian.Uint64(k[len(prefix):])))
	}
	return rows, nil
}

func readAspects(src source, u urn.URN, names []string) ([]model.Record, error) {
	if len(names) > 0 {
		return readNamedAspects(src, u, names)
	}
	e, found, err := findEntity(src, u)
	if !found || e.latest == 0 {
		return nil, err
	}
	records := make([]model.Record, 0, min(e.latest, 64))
	prefix := idKey(e.id)
	for k, raw := range src.each(bucketLatest, prefix, prefix) {
		if len(k) != len(prefix)+2 {
			return nil, corrupt("key of a row")
		}
		name, known := src.text(aspectNames, uint32(binary.BigEndian.Uint16(k[len(prefix):])))
		if !known {
			return nil, corrupt("aspect of a row")
		}
		records = append(records, model.Record{URN: u, Aspect: name})
		if err := decodeRow(raw, &records[len(records)-1], src); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(records, func(a, b model.Record) int { return strings.Compare(a.Aspect, b.Aspect) })
	return records, nil
}

func readNamedAspects(src source, u urn.URN, names []string) ([]model.Record, error) {
	rows := rowReader{src: src}
	var records []model.Record
	for _, name := range distinct(names) {
		rec, err := rows.read(store.Key{URN: u, Aspect: name}, 0)
		if err != nil {
			return nil, err
		}
		if rec != nil {
			records = append(records, *rec)
		}
	}
	return records, nil
}

// distinct returns the names in ascending order without duplicates.
func distinct(names []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(names)))
}

// readAspectSizes sums the stored sizes of the rows that readAspects returns for the same
// arguments. Names must be distinct.
func readAspectSizes(src source, u urn.URN, names []string) (total int64, err error) {
	if len(names) == 0 {
		e, found, err := findEntity(src, u)
		if !found || e.latest == 0 {
			return 0, err
		}
		prefix := idKey(e.id)
		for _, raw := range src.each(bucketLatest, prefix, prefix) {
			total += int64(len(raw))
		}
		return total, nil
	}
	rows := rowReader{src: src}
	for _, name := range names {
		raw, err := rows.raw(store.Key{URN: u, Aspect: name}, 0)
		if err != nil {
			return 0, err
		}
		total += int64(len(raw))
	}
	return total, nil
}

func scanURNs(src source, q store.Scan) []urn.URN {
	prefix := ""
	if q.Type != "" {
		prefix = urn.TypePrefix(q.Type)
	}
	switch {
	case strings.HasPrefix(q.Prefix, prefix):
		prefix = q.Prefix
	case !strings.HasPrefix(prefix, q.Prefix):
		return nil
	}
	limit := q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	var found []urn.URN
	for key := range src.each(bucketEntities, []byte(q.After), []byte(prefix)) {
		if string(key) == string(q.After) {
			continue
		}
		if found = append(found, urn.URN(key)); len(found) == limit {
			break
		}
	}
	return found
}

func readCount(src source, entityType string) (int, error) {
	if entityType != "" {
		return decodeCount(src.get(bucketCounts, countKey(entityType)))
	}
	total := 0
	for _, raw := range src.each(bucketCounts, nil, nil) {
		n, err := decodeCount(raw)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// countKey returns the key of a counter. It is never empty, because bbolt allows no empty key.
func countKey(entityType string) []byte { return []byte(entityType + ":") }

// typeOf returns the entity type under which Scan lists u. It is empty unless u starts with the
// full prefix of its type.
func typeOf(u urn.URN) string {
	entityType := u.Type()
	if entityType == "" || !strings.HasPrefix(string(u), urn.TypePrefix(entityType)) {
		return ""
	}
	return entityType
}

func decodeCount(raw []byte) (int, error) {
	if raw == nil {
		return 0, nil
	}
	d := decoder{raw: raw}
	n := d.uvarint()
	return int(n), d.check("count")
}
