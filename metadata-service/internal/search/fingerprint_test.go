package search_test

import (
	"maps"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

func fingerprinted() *search.Document {
	return &search.Document{
		URN: "urn:li:tag:a", Type: "tag",
		Fields: map[string][]search.Value{
			"name": {{Text: "ab"}, {Text: "c"}}, "size": {{Number: 3}}, "structuredProperties.p": {{Text: "x"}}, "none": {},
		},
		Kinds: map[string]search.Kind{"structuredProperties.p": search.Keyword},
	}
}

func TestFingerprintTellsDocumentsApart(t *testing.T) {
	t.Parallel()
	want := search.Fingerprint(fingerprinted())
	const known = 0x9a695989a72ca0c5 // stored with indexes: it must be equal in every process
	if want != known {
		t.Errorf("the fingerprint is %#x, want %#x as in every process", want, uint64(known))
	}
	if again := fingerprinted(); search.Fingerprint(again) != want {
		t.Error("equal documents differ")
	}
	if without := fingerprinted(); true {
		delete(without.Fields, "none")
		if search.Fingerprint(without) != want {
			t.Error("a field without values makes a difference")
		}
	}
	for name, change := range map[string]func(d *search.Document){
		"another URN":             func(d *search.Document) { d.URN = "urn:li:tag:b" },
		"another type":            func(d *search.Document) { d.Type = "tags" },
		"a letter that moves on":  func(d *search.Document) { d.Fields["name"] = []search.Value{{Text: "a"}, {Text: "bc"}} },
		"values in another order": func(d *search.Document) { d.Fields["name"] = []search.Value{{Text: "c"}, {Text: "ab"}} },
		"a value more":            func(d *search.Document) { d.Fields["name"] = append(d.Fields["name"], search.Value{}) },
		"another number":          func(d *search.Document) { d.Fields["size"] = []search.Value{{Number: 4}} },
		"another kind":            func(d *search.Document) { d.Kinds["structuredProperties.p"] = search.Text },
		"a field less":            func(d *search.Document) { delete(d.Fields, "size") },
		"fields that have swapped their values": func(d *search.Document) {
			fields := maps.Clone(d.Fields)
			d.Fields["name"], d.Fields["size"] = fields["size"], fields["name"]
		},
	} {
		d := fingerprinted()
		change(d)
		if search.Fingerprint(d) == want {
			t.Errorf("%s makes no difference", name)
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	d := fingerprinted()
	b.ReportAllocs()
	for b.Loop() {
		search.Fingerprint(d)
	}
}
