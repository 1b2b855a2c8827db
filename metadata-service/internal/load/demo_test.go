package load_test

import (
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/load"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// A catalog would refuse an invalid value, possibly after half of the files.
func TestSampleCompanyFitsTheModel(t *testing.T) {
	t.Parallel()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	c := newFakeCatalog(t)
	opts := options(c, "../../../deploy/demo")
	opts.Batch = 200

	sum, err := load.Load(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Entities < 300 || sum.Files < 10 {
		t.Errorf("got %+v, want at least 300 entities from 10 files", sum)
	}
	for _, w := range c.taken() {
		_, entity, err := registry.Resolve(w.URN)
		if err != nil {
			t.Errorf("%s: %v", w.URN, err)
			continue
		}
		aspect, known := entity.Aspect(w.Aspect)
		if !known {
			t.Errorf("%s: aspect %s is not one of %s", w.URN, w.Aspect, entity.Name)
			continue
		}
		if w.Change == string(model.Upsert) {
			if _, _, _, err := registry.ConformText(aspect, []byte(w.Value)); err != nil {
				t.Errorf("%s of %s: %v", w.Aspect, w.URN, err)
			}
		}
	}
}

func TestSampleCompanyEndsToday(t *testing.T) {
	t.Parallel()
	newest, err := load.Newest(t.Context(), "../../../deploy/demo")
	if err != nil {
		t.Fatal(err)
	}
	now := options(newFakeCatalog(t)).Now()
	moved := time.UnixMilli(newest + load.WholeDays(newest, now))
	if age := now.Sub(moved); age < 0 || age >= 24*time.Hour {
		t.Errorf("newest time lies %s before now, want less than a day", age)
	}
}
