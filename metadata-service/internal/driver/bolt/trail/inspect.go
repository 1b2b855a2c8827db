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

// Inspect reads every page and every event of a file that no process writes, and returns the
// problems found. It changes nothing, whereas Open would replace a damaged file. A file in use is
// an error of kind fault.Unavailable, an absent one is fs.ErrNotExist.
func Inspect(ctx context.Context, path string) ([]string, error) {
	return auxfile.Inspect(ctx, path, inspectEvents)
}

// inspectEvents reports for each class its unreadable events, and whether its size differs from the
// recorded size, which decides when the oldest events are deleted.
func inspectEvents(ctx context.Context, tx *bbolt.Tx) (problems []string, err error) {
	for _, name := range append([][]byte{metaBucket}, buckets()...) {
		if tx.Bucket(name) == nil {
			problems = append(problems, fmt.Sprintf("the bucket %s is missing", name))
		}
	}
	if len(problems) > 0 {
		return problems, nil
	}
	recorded, err := readSizes(tx)
	if err != nil {
		return []string{"the sizes of the classes cannot be read"}, nil
	}
	for _, c := range audit.Classes() {
		counted, unreadable, err := measure(ctx, tx.Bucket(classBuckets[c]))
		if err != nil {
			return nil, err
		}
		if unreadable != nil {
			problems = append(problems, fmt.Sprintf("%s: %d events cannot be read, the first of %s", classBuckets[c], unreadable.count, unreadable.first))
		}
		if counted != recorded[c] {
			problems = append(problems, fmt.Sprintf("%s: %d events of %d bytes are held, and %d of %d noted", classBuckets[c], counted.Events, counted.Bytes, recorded[c].Events, recorded[c].Bytes))
		}
	}
	return problems, nil
}

// damaged counts the unreadable events of a class.
type damaged struct {
	count int
	first string // time of the first one, as far as its key shows
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
			unreadable = &damaged{first: "an unreadable time"}
			if len(key) >= timeBytes {
				unreadable.first = time.UnixMilli(timeOf(key)).UTC().Format(time.RFC3339)
			}
		}
		unreadable.count++
	}
	return held, unreadable, nil
}
