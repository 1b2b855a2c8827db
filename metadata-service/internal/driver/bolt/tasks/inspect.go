package tasks

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt/internal/auxfile"
)

// Inspect reads every page and every task of a file that no process writes, and returns the
// problems found. It changes nothing, whereas Open would replace a damaged file. A file in use is
// an error of kind fault.Unavailable, an absent one is fs.ErrNotExist.
func Inspect(ctx context.Context, path string) ([]string, error) {
	return auxfile.Inspect(ctx, path, inspectTasks)
}

func inspectTasks(ctx context.Context, tx *bbolt.Tx) (problems []string, err error) {
	for _, name := range buckets() {
		if tx.Bucket(name) == nil {
			problems = append(problems, fmt.Sprintf("the bucket %s is missing", name))
		}
	}
	if len(problems) > 0 {
		return problems, nil
	}
	err = tx.Bucket(tasksBucket).ForEach(func(key, value []byte) error {
		t, err := decode(value)
		if err != nil {
			problems = append(problems, fmt.Sprintf("task %x cannot be read", key))
		} else if live := tx.Bucket(liveBucket).Get(key); live == nil != t.State.Ended() || live != nil && string(live) != t.Key {
			problems = append(problems, fmt.Sprintf("task %s is %s, and its key is noted otherwise", t.ID, t.State))
		}
		return ctx.Err()
	})
	return problems, err
}
