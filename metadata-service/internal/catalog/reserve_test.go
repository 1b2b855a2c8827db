package catalog_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/catalog/catalogtest"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// ledger counts the bytes that reads reserve, and refuses requests above a bound.
type ledger struct{ taken, most int64 }

func (l *ledger) reserve(_ context.Context, bytes int64) error {
	if l.taken += bytes; l.taken > l.most {
		return fault.New(fault.Unavailable, "no room for %d bytes", bytes)
	}
	return nil
}

func TestReadsTakeRoomBeforeTheyRead(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag, other urn.URN = "urn:li:tag:large", "urn:li:tag:other"
		room := &ledger{most: 1 << 40}
		f.Put(tag, "tagProperties", properties(strings.Repeat("a", 5_000)))
		f.Put(tag, "tagProperties", properties(strings.Repeat("b", 3_000)))
		f.Put(tag, "tagProperties", properties(strings.Repeat("c", 1_000)))
		f.Put(other, "tagProperties", properties(strings.Repeat("d", 4_000)))
		f.Service.Reserve = room.reserve

		ctx := f.As(jo)
		history := func() (last error) {
			for _, err := range f.History(ctx, tag, "tagProperties", 3) {
				last = err
			}
			return last
		}
		aspect := func(version int64) func() error {
			return func() error {
				_, err := f.Aspect(ctx, tag, "tagProperties", version, catalog.Concealed)
				return err
			}
		}
		entities := func(aspects ...string) func() error {
			return func() error {
				_, err := f.Entities(ctx, []urn.URN{tag, other}, catalog.EntityQuery{Aspects: aspects})
				return err
			}
		}
		for name, c := range map[string]struct {
			read        func() error
			least, most int64
		}{
			"the latest version":              {aspect(0), 1_000, 1_900},
			"an old version":                  {aspect(1), 5_000, 5_900},
			"a version counted from the end":  {aspect(-1), 3_000, 3_900},
			"the largest two versions":        {history, 8_000, 8_900},
			"all aspects of two entities":     {entities(), 5_000, 6_500},
			"one small aspect of two":         {entities("tagKey"), 10, 900},
			"the large aspect of two":         {entities("tagProperties"), 5_000, 6_500},
			"aspects that entities lack, too": {entities("tagProperties", "schemaMetadata"), 5_000, 6_500},
		} {
			room.taken, room.most = 0, 1<<40
			if err := c.read(); err != nil || room.taken < c.least || room.taken > c.most {
				t.Errorf("%s: %d bytes are reserved (%v), want %d to %d", name, room.taken, err, c.least, c.most)
			}
			room.taken, room.most = 0, 0
			catalogtest.WantFault(t, c.read(), fault.Unavailable, "no room")
		}
	})
}

func TestAnAnswerHasABoundOfItsOwn(t *testing.T) {
	catalogtest.OnDrivers(t, func(t *testing.T, f *catalogtest.Fixture) {
		const tag urn.URN = "urn:li:tag:large"
		f.Put(tag, "tagProperties", properties(strings.Repeat("a", 3<<20)))
		read := func(most int64, aspects ...string) error {
			_, err := f.Entities(f.As(jo), []urn.URN{tag}, catalog.EntityQuery{Aspects: aspects, MaxBytes: most})
			return err
		}
		catalogtest.WantFault(t, read(2<<20), fault.TooLarge, "the aspects have 3 MiB, and one answer takes 2 more at most")
		for _, err := range []error{read(4 << 20), read(2<<20, "tagKey")} {
			if err != nil {
				t.Error(err)
			}
		}
	})
}
