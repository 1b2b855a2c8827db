package indexing_test

import (
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/indexing"
)

// TestRestoringEverythingStatesNoRowAgain counts the log entries: the whole index is rebuilt then,
// and an entry for each row would make every sink process the whole catalog again.
func TestRestoringEverythingStatesNoRowAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, name := range []string{"a", "b", "c"} {
		f.put(dataset(name), "globalTags", tagged)
	}
	for _, c := range []struct {
		name   string
		s      indexing.Selection
		states bool
	}{
		{"everything", indexing.Selection{}, false},
		{"everything by a pattern", indexing.Selection{URNLike: "%"}, false},
		{"some rows", indexing.Selection{Limit: 2}, true},
		{"rows of one aspect", indexing.Selection{Aspects: []string{"globalTags"}}, true},
	} {
		before, _ := f.store.Last()
		done, err := f.indexer.Restore(f.ctx(), c.s, indexing.Hooks{})
		if err != nil || done.Rows == 0 {
			t.Fatalf("%s: restored %d rows, %v", c.name, done.Rows, err)
		}
		if after, _ := f.store.Last(); (after > before) != c.states {
			t.Errorf("%s: the log went from %d to %d with %d rows restored", c.name, before, after, done.Rows)
		}
		f.catchUp()
		f.wantFound("tags", gold, dataset("a"), dataset("b"), dataset("c"))
		f.wantEqual()
	}
}
