package run_test

import (
	"fmt"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/run"
	"github.com/cartulary/cartulary/pkg/urn"
)

func numbered(i int) urn.URN { return urn.URN(fmt.Sprintf("urn:li:tag:%04d", i)) }

// Pages of keys end in the middle of entities. Offsets count the rows shown, and each row is shown
// once, whatever the page size.
func TestDescriptionsGoOnOverManyPages(t *testing.T) {
	t.Parallel()
	f := catalogtest.New(t, catalogtest.InMemory())
	const many = 1401 // with three rows each, two pages of keys and a part
	batch := make([]catalog.Proposal, 0, 2*many)
	for i := range many {
		status := `{}`
		if i%2 == 1 {
			status = `{"removed":true}`
		}
		batch = append(batch, catalogtest.InRun("r", catalogtest.Proposal(numbered(i), "status", status)),
			catalogtest.InRun("r", catalogtest.Proposal(numbered(i), "tagProperties", properties("x"))))
	}
	f.Must(batch...)
	for soft, want := range map[bool]int{true: 3 * many, false: 3 * (many/2 + 1)} {
		seen := map[string]bool{}
		for offset := 0; ; offset += 999 {
			rows, err := f.Runs.Describe(f.As(jo), "r", offset, 999, soft)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				id := fmt.Sprint(row.Record.URN, row.Record.Aspect, row.Record.Row)
				if seen[id] || row.SoftDelete && !soft {
					t.Fatalf("%s is shown twice, or though it is soft-deleted", id)
				}
				seen[id] = true
			}
			if len(rows) < 999 {
				break
			}
		}
		if len(seen) != want {
			t.Errorf("with soft-deleted %v: %d rows, want %d", soft, len(seen), want)
		}
	}
	// Entities whose keys are on two pages are removed as a whole.
	out := f.Rollback("r", run.Options{Hard: true})
	if out.EntitiesDeleted != many || out.UnsafeCount != 0 || out.AspectsReverted != 3*many {
		t.Errorf("got %d deleted, %d unsafe, %d reverted", out.EntitiesDeleted, out.UnsafeCount, out.AspectsReverted)
	}
	if rows, err := f.Runs.Describe(f.As(jo), "r", 0, 10, true); err != nil || len(rows) != 0 {
		t.Errorf("afterwards: %d rows, %v", len(rows), err)
	}
}

// A description shows the current state of an entity, regardless of when the run wrote it.
func TestWhatIsSoftDeletedLaterIsLeftOutOfADescription(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		f.Must(catalogtest.InRun("r", catalogtest.Proposal(numbered(1), "tagProperties", properties("a"))),
			catalogtest.InRun("r", catalogtest.Proposal(numbered(2), "tagProperties", properties("b"))))
		count := func(soft bool) int {
			t.Helper()
			rows, err := f.Runs.Describe(f.As(jo), "r", 0, 10, soft)
			if err != nil {
				t.Fatal(err)
			}
			return len(rows)
		}
		for _, c := range []struct {
			status    string
			shown, of int
		}{{`{"removed":true}`, 2, 4}, {`{"removed":false}`, 4, 4}} {
			f.Put(numbered(1), "status", c.status)
			if shown, of := count(false), count(true); shown != c.shown || of != c.of {
				t.Errorf("with %s: %d rows of %d, want %d of %d", c.status, shown, of, c.shown, c.of)
			}
		}
	})
}

// Former versions of the run follow the latest one, newest first.
func TestADescriptionTellsAllVersionsOfTheRun(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		for i, id := range []string{"r", "other", "r", "r"} {
			f.Must(catalogtest.InRun(id, catalogtest.Proposal(numbered(1), "tagProperties", properties(fmt.Sprint(i)))))
		}
		rows, err := f.Runs.Describe(f.As(jo), "r", 0, 10, false)
		if err != nil {
			t.Fatal(err)
		}
		var values []string
		for _, row := range rows {
			if row.Record.Aspect == "tagProperties" {
				values = append(values, string(row.Record.Value))
			}
		}
		want := []string{properties("3"), properties("2"), properties("0")}
		if len(values) != len(want) {
			t.Fatalf("got %v", values)
		}
		for i := range want {
			if values[i] != catalogtest.Canonical(t, want[i]) {
				t.Errorf("row %d is %s, want %s", i, values[i], want[i])
			}
		}
	})
}
