package precondition_test

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/catalog"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/precondition"
	"github.com/cartulary/cartulary/pkg/fault"
)

func TestHeadersAreParsedToConditions(t *testing.T) {
	t.Parallel()
	got, err := precondition.Parse(map[string]string{
		"If-Version-Match": "-1", "if-modified-since": "2026-03-01T11:59:59Z", "IF-UNMODIFIED-SINCE": "2026-03-01T11:59:59.999Z", "If-None-Match": " * ", "Other": "header",
	})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 11, 59, 59, 0, time.UTC)
	switch {
	case got.Version == nil || *got.Version != catalog.Absent, got.ModifiedSince == nil || !got.ModifiedSince.Equal(at),
		got.UnmodifiedSince == nil || !got.UnmodifiedSince.Equal(at.Add(999*time.Millisecond)), !got.NoneMatch:
		t.Errorf("got %+v", got)
	}
	if none, err := precondition.Parse(map[string]string{"If-None-Match": "3", "Accept": "x"}); err != nil || none != (catalog.Conditions{}) {
		t.Errorf("headers without a condition: %+v, %v", none, err)
	}
}

func TestHeadersThatCannotBeParsedAreRefused(t *testing.T) {
	t.Parallel()
	many := map[string]string{}
	for i := range 51 {
		many["X-"+strconv.Itoa(i)] = ""
	}
	for want, headers := range map[string]map[string]string{
		"If-Version-Match":    {"If-Version-Match": "latest"},
		"If-Modified-Since":   {"If-Modified-Since": "yesterday"},
		"If-Unmodified-Since": {"If-Unmodified-Since": "1"},
		"more than 50":        many,
	} {
		if _, err := precondition.Parse(headers); !errors.Is(err, fault.Malformed) || !strings.Contains(fault.Message(err), want) {
			t.Errorf("%v: %v", slices.Sorted(maps.Keys(headers))[:1], err)
		}
	}
}

func TestConditionsAreJoinedUnlessBothStateOne(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	conditions := catalog.AtVersion(3)
	if !precondition.Join(&conditions, catalog.Conditions{ModifiedSince: &at, NoneMatch: true}) || *conditions.Version != 3 || conditions.ModifiedSince != &at || !conditions.NoneMatch {
		t.Errorf("got %+v", conditions)
	}
	for _, again := range []catalog.Conditions{catalog.AtVersion(3), {ModifiedSince: &at}} {
		if precondition.Join(&conditions, again) {
			t.Errorf("joined with %+v", again)
		}
	}
}
