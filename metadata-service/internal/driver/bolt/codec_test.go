package bolt_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/driver/bolt"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

// sampleRecord is a typical row of an ingestion by the client library.
func sampleRecord() model.Record {
	const time = 1700000000000
	return model.Record{
		Value:     []byte(`{"removed":false}`),
		CreatedOn: time,
		CreatedBy: model.RootUser,
		Sequence:  123456,
		System: model.SystemMetadata{
			LastObserved:  time,
			RunID:         "snowflake-2026_11_21-00_49_27-abc123",
			LastRunID:     model.DefaultRunID,
			PipelineName:  "nightly",
			Version:       "1",
			SchemaVersion: 1,
			Properties: map[string]string{
				"clientId": "acryl-datahub", "clientVersion": "1.7.0.17",
				model.PropertyTraceID: "0123456789abcdef0123456789abcdef",
			},
			AspectCreated:  &model.AuditStamp{Time: time, Actor: model.RootUser},
			AspectModified: &model.AuditStamp{Time: time, Actor: model.RootUser},
		},
	}
}

func TestRowsOfCommonShapeAreSmall(t *testing.T) {
	t.Parallel()
	rec := sampleRecord()
	raw, err := new(bolt.Words).EncodeRow(&rec)
	if err != nil {
		t.Fatal(err)
	}
	if overhead := len(raw) - len(rec.Value); overhead > 56 {
		t.Errorf("a row costs %d bytes besides its value, want 56 at most", overhead)
	}
}

func TestEveryCutOfARowIsNoticedOrShortensItsValue(t *testing.T) {
	t.Parallel()
	rec := sampleRecord()
	var words bolt.Words
	raw, err := words.EncodeRow(&rec)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range raw {
		got, err := words.DecodeRow(raw[:cut])
		if head := len(raw) - len(rec.Value); cut < head && err == nil {
			t.Errorf("a row cut after %d of %d bytes was read", cut, head)
		}
		if err == nil && !bytes.HasPrefix(rec.Value, got.Value) {
			t.Errorf("a row cut after %d bytes has value %q", cut, got.Value)
		}
	}
}

func TestUnknownNumbersAreAnError(t *testing.T) {
	t.Parallel()
	rec := sampleRecord()
	raw, err := new(bolt.Words).EncodeRow(&rec)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := new(bolt.Words).DecodeRow(raw); err == nil {
		t.Error("a row whose words are in no dictionary was read")
	}
}

func FuzzDecodeRow(f *testing.F) {
	rec := sampleRecord()
	var words bolt.Words
	raw, err := words.EncodeRow(&rec)
	if err != nil {
		f.Fatal(err)
	}
	rec.CreatedFor, rec.System.Version, rec.System.LastRunID = "urn:li:corpuser:x", "v1", strings.Repeat("r", 2000)
	rec.System.AspectModified = &model.AuditStamp{Time: 1}
	other, err := words.EncodeRow(&rec)
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{raw, other, nil, {0xff}, bytes.Repeat([]byte{0xff}, 40)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		rec, err := words.DecodeRow(raw)
		if err != nil {
			return
		}
		// A decoded row must survive another round trip.
		var again bolt.Words
		raw, err = again.EncodeRow(&rec)
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.DecodeRow(raw)
		if err != nil || !reflect.DeepEqual(got, rec) {
			t.Errorf("got %v, %v\nwant %v", got, err, rec)
		}
	})
}

func FuzzDecodeEntry(f *testing.F) {
	var words bolt.Words
	for _, entry := range []store.Entry{
		{Kind: store.Written, OldVersion: 1, NewVersion: 2, Actor: model.RootUser, Time: 5, RunID: "r", TraceID: strings.Repeat("0f", 16)},
		{Kind: store.Document, TraceID: "text", Value: []byte(`{}`)},
		{Kind: store.Restated, Origin: "outlet"},
	} {
		raw, err := words.EncodeEntry(&entry)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		entry, err := words.DecodeEntry(raw)
		if err != nil {
			return
		}
		var again bolt.Words
		if raw, err = again.EncodeEntry(&entry); err != nil {
			t.Fatal(err)
		}
		if entry.Aspect != "" {
			return // its number belongs to the first dictionary
		}
		got, err := again.DecodeEntry(raw)
		if err == nil && !reflect.DeepEqual(got.Value, entry.Value) {
			t.Errorf("got %v, want %v", got, entry)
		}
	})
}

func FuzzDecodeIndexValues(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4})
	f.Add(bytes.Repeat([]byte{0xff}, 20))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		_ = bolt.DecodeSmall(raw) // only a panic would be an error
	})
}

// Files of the second format contain entries in this encoding, from before origins existed.
func TestEntriesOfTheFormatWithoutOriginsAreRead(t *testing.T) {
	t.Parallel()
	var words bolt.Words
	if _, err := words.EncodeEntry(&store.Entry{Kind: store.Written, Actor: model.RootUser, RunID: "r"}); err != nil {
		t.Fatal(err)
	}
	raw := []byte("\x01\x05\x00\x00\x02\x0a\x04\x02\x04" + strings.Repeat("\x0f", 16))
	want := store.Entry{
		Kind: store.Written, Actor: model.RootUser, Time: 5, RunID: "r", OldVersion: 1, NewVersion: 2, TraceID: strings.Repeat("0f", 16),
	}
	if got, err := words.DecodeEntry(raw); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	want.Origin = "outlet"
	raw, err := words.EncodeEntry(&want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := words.DecodeEntry(raw)
	got.Aspect = "" // its number belongs to the first dictionary
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}
