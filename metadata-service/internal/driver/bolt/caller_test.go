package bolt_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

func appendFor(t *testing.T, s *bolt.Store, c store.Caller, n int) store.Commit {
	t.Helper()
	commit, err := s.Update(store.WithCaller(t.Context(), c), func(tx store.Tx) error {
		for range n {
			if _, err := tx.Append(t.Context(), store.Entry{Kind: store.Restated, URN: "urn:li:tag:a", Aspect: "tagKey"}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return commit
}

func TestCallersAreReadFromTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path)
	first := store.Caller{Request: "r1", Address: "192.0.2.7", Agent: "tests", Door: "OPENAPI", Token: "t"}
	appendFor(t, s, first, 3)
	appendFor(t, s, store.Caller{Request: "r2"}, 1)
	kept := entriesAfter(t, s, 0)
	s = reopen(t, s, path)
	if got := entriesAfter(t, s, 0); !reflect.DeepEqual(got, kept) || got[2].Caller.Agent != "tests" || got[2].Caller != got[0].Caller {
		t.Errorf("got %+v, want %+v", got, kept)
	}
	if got := entriesAfter(t, s, 2); *got[0].Caller != first {
		t.Errorf("without the entry that holds it: got %+v", got[0].Caller)
	}
	if err := s.Trim(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if got := entriesAfter(t, s, 1); got[0].Caller != nil || got[2].Caller.Request != "r2" {
		t.Errorf("once it is trimmed: got %+v and %+v", got[0].Caller, got[2].Caller)
	}
}
