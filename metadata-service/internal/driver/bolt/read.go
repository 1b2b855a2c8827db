package bolt

import (
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
	"github.com/cartulary/cartulary/pkg/urn"
)

// What both readers and transactions read, on whatever state they stand.

const storePage = 1000 // of a listing whose caller names no limit

func storeFindEntity(src storeSource, u urn.URN) (e storeEntity, found bool, err error) {
	key := []byte(u)
	raw := src.get(storeEntities, key)
	if raw == nil {
		raw = src.get(storeRetired, key)
	}
	if raw == nil {
		return e, false, nil
	}
	d := storeDecoder{raw: raw}
	e = storeEntity{id: d.uvarint(), latest: d.uvarint()}
	return e, true, d.check("entity")
}

func storeRow(src storeSource, key store.Key, row int64) (*model.Record, error) {
	if row < 0 {
		return nil, nil
	}
	e, found, err := storeFindEntity(src, key.URN)
	if !found {
		return nil, err
	}
	aspect, found := src.number(storeAspectNames, key.Aspect)
	if !found {
		return nil, nil
	}
	bucket, k := storeRowKey(e.id, aspect, row)
	raw := src.get(bucket, k)
	if raw == nil {
		return nil, nil
	}
	rec := &model.Record{URN: key.URN, Aspect: key.Aspect, Row: row}
	return rec, storeDecodeRow(raw, rec, src)
}

func storeRows(src storeSource, key store.Key) ([]int64, error) {
	e, found, err := storeFindEntity(src, key.URN)
	if !found {
		return nil, err
	}
	aspect, found := src.number(storeAspectNames, key.Aspect)
	if !found {
		return nil, nil
	}
	_, prefix := storeRowKey(e.id, aspect, 0)
	var rows []int64
	for k := range src.each(storeHistory, prefix, prefix) {
		if len(k) != len(prefix)+8 {
			return nil, storeCorrupt("key of a history row")
		}
		rows = append(rows, int64(binary.BigEndian.Uint64(k[len(prefix):])))
	}
	return rows, nil
}

func storeAspects(src storeSource, u urn.URN, names []string) ([]model.Record, error) {
	if len(names) > 0 {
		return storeNamedAspects(src, u, names)
	}
	e, found, err := storeFindEntity(src, u)
	if !found || e.latest == 0 {
		return nil, err
	}
	records := make([]model.Record, 0, min(e.latest, 64))
	prefix := storeIDKey(e.id)
	for k, raw := range src.each(storeLatest, prefix, prefix) {
		if len(k) != len(prefix)+2 {
			return nil, storeCorrupt("key of a row")
		}
		name, known := src.text(storeAspectNames, uint32(binary.BigEndian.Uint16(k[len(prefix):])))
		if !known {
			return nil, storeCorrupt("aspect of a row")
		}
		records = append(records, model.Record{URN: u, Aspect: name})
		if err := storeDecodeRow(raw, &records[len(records)-1], src); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(records, func(a, b model.Record) int { return strings.Compare(a.Aspect, b.Aspect) })
	return records, nil
}

func storeNamedAspects(src storeSource, u urn.URN, names []string) ([]model.Record, error) {
	var records []model.Record
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		rec, err := storeRow(src, store.Key{URN: u, Aspect: name}, 0)
		if err != nil {
			return nil, err
		}
		if rec != nil {
			records = append(records, *rec)
		}
	}
	return records, nil
}

func storeScan(src storeSource, q store.Scan) []urn.URN {
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
		limit = storePage
	}
	var found []urn.URN
	for key := range src.each(storeEntities, []byte(q.After), []byte(prefix)) {
		if string(key) == string(q.After) {
			continue
		}
		if found = append(found, urn.URN(key)); len(found) == limit {
			break
		}
	}
	return found
}

func storeCount(src storeSource, entityType string) (int, error) {
	if entityType != "" {
		return storeCountOf(src.get(storeCounts, storeCountKey(entityType)))
	}
	total := 0
	for _, raw := range src.each(storeCounts, nil, nil) {
		n, err := storeCountOf(raw)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}

// storeCountKey is never empty, as a key must not be.
func storeCountKey(entityType string) []byte { return []byte(entityType + ":") }

// storeTypeOf is the type that Scan finds u under: empty unless the type's
// whole prefix is there.
func storeTypeOf(u urn.URN) string {
	entityType := u.Type()
	if entityType == "" || !strings.HasPrefix(string(u), urn.TypePrefix(entityType)) {
		return ""
	}
	return entityType
}

func storeCountOf(raw []byte) (int, error) {
	if raw == nil {
		return 0, nil
	}
	d := storeDecoder{raw: raw}
	n := d.uvarint()
	return int(n), d.check("count")
}
