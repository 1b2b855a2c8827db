package series

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/timeseries"
)

func tsEncoded(t testing.TB) []byte {
	t.Helper()
	b, err := tsEncode(&timeseries.Document{
		ID: "id", URN: "urn:li:dataset:d", Time: -5, Exploded: true, Event: []byte(`{"a":1}`),
		Columns: map[string]any{"text": "x", "whole": int64(-7), "float": 0.5},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTimeseriesCodecRefusesEveryCutDocument(t *testing.T) {
	t.Parallel()
	whole := tsEncoded(t)
	for n := range whole {
		if d, _, err := tsDecode(whole[:n]); err == nil {
			t.Errorf("the first %d of %d bytes were read as %+v", n, len(whole), d)
		}
	}
	if _, _, err := tsDecode(append(whole, 0)); err == nil {
		t.Error("a byte too many was accepted")
	}
}

func FuzzTimeseriesDecode(f *testing.F) {
	f.Add(tsEncoded(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, system, err := tsDecode(bytes.Clone(b))
		if err != nil || tsDetach(&d, system) != nil {
			return
		}
		again, err := tsEncode(&d)
		if err != nil {
			t.Fatal(err)
		}
		if e, system, err := tsDecode(again); err != nil || tsDetach(&e, system) != nil || !tsSame(e, d) {
			t.Errorf("got %+v, %v, want %+v", e, err, d)
		}
	})
}

// tsSame sees NaN as equal to itself, by comparing the encoded form where values differ.
func tsSame(a, b timeseries.Document) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	x, xErr := tsEncode(&a)
	y, yErr := tsEncode(&b)
	return xErr == nil && yErr == nil && bytes.Equal(x, y)
}
