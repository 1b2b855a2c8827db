// Package recordstest is the conformance suite for drivers of the operational records.
package recordstest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/records"
	"github.com/cartulary/cartulary/pkg/fault"
)

const bucket = "b"

// Run runs the suite against a driver. open opens the store in a folder that is empty at first and
// that no other store uses meanwhile; the test closes it.
func Run(t *testing.T, open func(t *testing.T, folder string) records.Store) {
	t.Helper()
	for _, c := range []struct {
		name string
		run  func(f *fixture)
	}{
		{"what is put is got, and replaced", replaced},
		{"buckets are apart", separateBuckets},
		{"what is deleted is gone, and what is absent is deleted in peace", deleted},
		{"a scan visits the keys of a prefix in the order of their bytes", scanned},
		{"a transaction sees what it has put", readsOwnWrites},
		{"what fails stores nothing", failureStoresNothing},
		{"a view sees nothing of an update that has not ended", isolated},
		{"a view changes nothing", readOnly},
		{"updates at once are all stored", parallel},
		{"keys that are empty or too long are refused", keys},
		{"what is stored is there after a restart", durable},
		{"a cancelled context refuses", cancelled},
		{"a closed store refuses", closed},
		{"a probe goes well and changes nothing", probeChangesNothing},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := &fixture{T: t, folder: t.TempDir(), open: open}
			f.Store = open(t, f.folder)
			t.Cleanup(f.close)
			c.run(f)
		})
	}
}

type fixture struct {
	*testing.T
	records.Store
	folder string
	open   func(t *testing.T, folder string) records.Store
}

func (f *fixture) close() {
	f.Helper()
	if err := f.Store.Close(); err != nil {
		f.Error(err)
	}
}

// ok fails the test on an error.
func (f *fixture) ok(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

// update runs an Update that must succeed.
func (f *fixture) update(fn func(records.Tx) error) {
	f.Helper()
	f.ok(f.Store.Update(f.Context(), fn))
}

func (f *fixture) put(keys ...string) {
	f.Helper()
	f.update(func(tx records.Tx) error {
		for _, key := range keys {
			if err := tx.Put(bucket, key, []byte("value of "+key)); err != nil {
				return err
			}
		}
		return nil
	})
}

// view runs a View that must succeed.
func (f *fixture) view(fn func(records.Tx)) {
	f.Helper()
	f.ok(f.Store.View(f.Context(), func(tx records.Tx) error {
		fn(tx)
		return nil
	}))
}

// scan lists the keys with a prefix.
func scan(tx records.Tx, bucket, prefix string) (found []string) {
	tx.Scan(bucket, prefix, func(key string, _ []byte) bool {
		found = append(found, key)
		return true
	})
	return found
}

func (f *fixture) has(want ...string) {
	f.Helper()
	f.view(func(tx records.Tx) {
		if got := scan(tx, bucket, ""); !slices.Equal(got, want) {
			f.Errorf("keys %q, want %q", got, want)
		}
	})
}

func replaced(f *fixture) {
	long := bytes.Repeat([]byte{0, 255, 'x'}, 1<<20)
	for _, value := range [][]byte{[]byte("one"), long, {}, []byte("two")} {
		f.update(func(tx records.Tx) error { return tx.Put(bucket, "k", value) })
		f.view(func(tx records.Tx) {
			if got := tx.Get(bucket, "k"); got == nil || !bytes.Equal(got, value) {
				f.Errorf("got %d bytes, nil %v, want %d", len(got), got == nil, len(value))
			}
		})
	}
	f.view(func(tx records.Tx) {
		if tx.Get(bucket, "other") != nil || tx.Get("other", "k") != nil {
			f.Error("what was never put is there")
		}
	})
}

func separateBuckets(f *fixture) {
	f.put("k")
	f.update(func(tx records.Tx) error { return tx.Put("bb", "k", []byte("other")) })
	f.update(func(tx records.Tx) error { return tx.Delete(bucket, "k") })
	f.view(func(tx records.Tx) {
		if got := string(tx.Get("bb", "k")); got != "other" {
			f.Errorf("got %q", got)
		}
		if got := scan(tx, bucket, ""); len(got) != 0 {
			f.Errorf("the other bucket has %q", got)
		}
	})
}

func deleted(f *fixture) {
	f.put("a", "b")
	f.update(func(tx records.Tx) error {
		return errors.Join(tx.Delete(bucket, "a"), tx.Delete(bucket, "never"), tx.Delete("never", "a"))
	})
	f.has("b")
}

func scanned(f *fixture) {
	f.put("b/2", "a", "b/10", "b", "b/\xff", "c", "b0")
	f.has("a", "b", "b/10", "b/2", "b/\xff", "b0", "c")
	f.view(func(tx records.Tx) {
		if got, want := scan(tx, bucket, "b/"), []string{"b/10", "b/2", "b/\xff"}; !slices.Equal(got, want) {
			f.Errorf("below b/: %q, want %q", got, want)
		}
		if got := scan(tx, "never", ""); len(got) != 0 {
			f.Errorf("a bucket that is not there has %q", got)
		}
		var first []string
		tx.Scan(bucket, "b", func(key string, value []byte) bool {
			first = append(first, key+"="+string(value))
			return len(first) < 2
		})
		if want := []string{"b=value of b", "b/10=value of b/10"}; !slices.Equal(first, want) {
			f.Errorf("the first two: %q, want %q", first, want)
		}
	})
}

func readsOwnWrites(f *fixture) {
	f.put("old")
	f.update(func(tx records.Tx) error {
		err := errors.Join(tx.Put(bucket, "new", []byte("n")), tx.Delete(bucket, "old"))
		if got := scan(tx, bucket, ""); !slices.Equal(got, []string{"new"}) || string(tx.Get(bucket, "new")) != "n" || tx.Get(bucket, "old") != nil {
			f.Errorf("within: %q", got)
		}
		return err
	})
}

func failureStoresNothing(f *fixture) {
	f.put("a")
	refused := fault.New(fault.Conflict, "refused")
	err := f.Store.Update(f.Context(), func(tx records.Tx) error {
		f.ok(errors.Join(tx.Put(bucket, "b", []byte("never")), tx.Put("fresh", "b", []byte("never")), tx.Delete(bucket, "a")))
		return refused
	})
	if !errors.Is(err, refused) {
		f.Errorf("error %v, want that of the function", err)
	}
	if state := f.Store.Condition(); state.Err != nil {
		f.Errorf("what the function refuses counts as a failure of the storage: %v", state.Err)
	}
	f.has("a")
	f.view(func(tx records.Tx) {
		if got := scan(tx, "fresh", ""); len(got) != 0 {
			f.Errorf("the fresh bucket has %q", got)
		}
	})
	if err := f.Store.View(f.Context(), func(records.Tx) error { return refused }); !errors.Is(err, refused) {
		f.Errorf("error of a view %v, want that of the function", err)
	}
}

func isolated(f *fixture) {
	f.put("a")
	f.update(func(tx records.Tx) error {
		f.ok(tx.Put(bucket, "b", []byte("b")))
		seen := make(chan []string, 1)
		go func() {
			var keys []string
			_ = f.Store.View(f.Context(), func(tx records.Tx) error {
				keys = scan(tx, bucket, "")
				return nil
			})
			seen <- keys
		}()
		if got := <-seen; !slices.Equal(got, []string{"a"}) {
			f.Errorf("meanwhile: %q", got)
		}
		return nil
	})
	f.has("a", "b")
}

func readOnly(f *fixture) {
	f.put("a")
	f.view(func(tx records.Tx) {
		for what, err := range map[string]error{
			"put": tx.Put(bucket, "b", nil), "delete": tx.Delete(bucket, "a"), "delete in a bucket that is not there": tx.Delete("never", "a"),
		} {
			if !errors.Is(err, records.ErrReadOnly) {
				f.Errorf("%s: %v", what, err)
			}
		}
	})
	f.has("a")
}

func parallel(f *fixture) {
	const writers, times = 8, 5
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for i := range times {
				if err := f.Store.Update(f.Context(), func(tx records.Tx) error {
					n := uint64(0)
					if old := tx.Get(bucket, "count"); old != nil {
						n = binary.BigEndian.Uint64(old)
					}
					return errors.Join(tx.Put(bucket, "count", binary.BigEndian.AppendUint64(nil, n+1)), tx.Put("all", fmt.Sprintf("%d/%d", w, i), nil))
				}); err != nil {
					f.Error(err)
				}
			}
		})
	}
	all.Wait()
	f.view(func(tx records.Tx) {
		if n := binary.BigEndian.Uint64(tx.Get(bucket, "count")); n != writers*times || len(scan(tx, "all", "")) != writers*times {
			f.Errorf("counted %d, kept %d, want %d", n, len(scan(tx, "all", "")), writers*times)
		}
	})
}

func keys(f *fixture) {
	longest := strings.Repeat("k", records.MaxKey)
	f.update(func(tx records.Tx) error { return tx.Put(longest, longest, []byte("v")) })
	for what, name := range map[string][2]string{
		"no bucket": {"", "k"}, "no key": {bucket, ""}, "a long bucket": {longest + "k", "k"}, "a long key": {bucket, longest + "k"},
	} {
		err := f.Store.Update(f.Context(), func(tx records.Tx) error { return tx.Put(name[0], name[1], nil) })
		if !errors.Is(err, fault.Invalid) {
			f.Errorf("%s: %v, want invalid", what, err)
		}
	}
	f.has()
	f.view(func(tx records.Tx) {
		if string(tx.Get(longest, longest)) != "v" {
			f.Error("the longest key is not there")
		}
	})
}

func durable(f *fixture) {
	f.put("a", "b")
	f.update(func(tx records.Tx) error { return tx.Delete(bucket, "a") })
	f.close()
	f.Store = f.open(f.T, f.folder)
	f.has("b")
}

func cancelled(f *fixture) {
	ctx, cancel := context.WithCancel(f.Context())
	cancel()
	for what, err := range map[string]error{
		"view":   f.Store.View(ctx, func(records.Tx) error { f.Error("a view began"); return nil }),
		"update": f.Store.Update(ctx, func(records.Tx) error { f.Error("an update began"); return nil }),
		"probe":  f.Store.Probe(ctx),
	} {
		if !errors.Is(err, context.Canceled) {
			f.Errorf("%s: %v", what, err)
		}
	}
}

func closed(f *fixture) {
	f.put("a")
	f.close()
	for what, err := range map[string]error{
		"view":   f.Store.View(f.Context(), func(records.Tx) error { return nil }),
		"update": f.Store.Update(f.Context(), func(records.Tx) error { return nil }),
		"probe":  f.Store.Probe(f.Context()),
	} {
		if !errors.Is(err, fault.Unavailable) {
			f.Errorf("%s: %v, want unavailable", what, err)
		}
	}
	f.close() // a second close must succeed
}

func probeChangesNothing(f *fixture) {
	f.put("a")
	f.ok(f.Store.Probe(f.Context()))
	if state := f.Store.Condition(); state.Err != nil || state.Failures != 0 || state.Damage != nil {
		f.Errorf("condition %+v", state)
	}
	f.has("a")
}
