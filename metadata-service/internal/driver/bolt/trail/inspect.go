package trail

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/audit"
	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
)

// Inspect reads every page and every event of a file that no process writes, and
// lists what is wrong with it. It changes nothing; Open would set a damaged file
// aside. A file in use is of kind fault.Unavailable, an absent one fs.ErrNotExist.
func Inspect(ctx context.Context, path string) ([]string, error) {
	return auxfile.Inspect(ctx, path, inspectEvents)
}

// inspectEvents tells of each class what cannot be read, and whether it is as large
// as noted: by that the oldest events are forgotten.
func inspectEvents(ctx context.Context, tx *bbolt.Tx) (problems []string, err error) {
	for _, name := range append([][]byte{metaBucket}, buckets()...) {
		if tx.Bucket(name) == nil {
			problems = append(problems, fmt.Sprintf("the bucket %s is missing", name))
		}
	}
	if len(problems) > 0 {
		return problems, nil
	}
	noted, err := readSizes(tx)
	if err != nil {
		return []string{"the sizes of the classes cannot be read"}, nil
	}
	for _, c := range audit.Classes() {
		held, unreadable, err := measure(ctx, tx.Bucket(classBuckets[c]))
		if err != nil {
			return nil, err
		}
		if unreadable != nil {
			problems = append(problems, fmt.Sprintf("%s: %d events cannot be read, the first of %s", classBuckets[c], unreadable.count, unreadable.first))
		}
		if held != noted[c] {
			problems = append(problems, fmt.Sprintf("%s: %d events of %d bytes are held, and %d of %d noted", classBuckets[c], held.Events, held.Bytes, noted[c].Events, noted[c].Bytes))
		}
	}
	return problems, nil
}

// damaged counts the events of a class that cannot be read.
type damaged struct {
	count int
	first string // when it happened, as far as its key tells
}

func measure(ctx context.Context, b *bbolt.Bucket) (held size, unreadable *damaged, err error) {
	cursor, n := b.Cursor(), 0
	for key, value := cursor.First(); key != nil; key, value = cursor.Next() {
		if n++; n%checkEvery == 0 && ctx.Err() != nil {
			return held, nil, ctx.Err()
		}
		held.add(1, len(key)+len(value))
		place, err := placeOf(key)
		if err == nil {
			_, err = decode(place, value)
		}
		if err == nil && bytes.Equal(placeKey(place), key) {
			continue
		}
		if unreadable == nil {
			unreadable = &damaged{first: "a time that cannot be told"}
			if len(key) >= timeBytes {
				unreadable.first = time.UnixMilli(timeOf(key)).UTC().Format(time.RFC3339)
			}
		}
		unreadable.count++
	}
	return held, unreadable, nil
}
