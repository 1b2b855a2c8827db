package metatest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/metatest"
)

// TestTheDefinitionsOfThePageAreValid parses every example of the documentation.
func TestTheDefinitionsOfThePageAreValid(t *testing.T) {
	t.Parallel()
	r := registry(t)
	for _, example := range examples(t) {
		if _, err := metatest.Parse(t.Context(), r, nil, []byte(example)); err != nil {
			t.Errorf("%v in:\n%s", err, example)
		}
	}
	for row := range strings.SplitSeq(page(t), "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 2 {
			continue
		}
		for _, word := range strings.Split(cells[1], "`") {
			if strings.HasPrefix(word, "relationships.") || strings.HasPrefix(word, "timeseries.") || strings.Contains(word, "ownership.") || strings.HasPrefix(word, "domains.") {
				if _, err := metatest.Parse(t.Context(), r, nil, []byte(rules(`{"property": "`+word+`", "operator": "exists"}`))); err != nil {
					t.Errorf("the page names %s: %v", word, err)
				}
			}
		}
	}
}

func page(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/api/metadata-tests.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// examples returns the definitions on the documentation page.
func examples(t testing.TB) (out []string) {
	t.Helper()
	for part := range strings.SplitSeq(page(t), "```yaml\n") {
		if example, _, ok := strings.Cut(part, "```"); ok && strings.HasPrefix(example, "on:") {
			out = append(out, example)
		}
	}
	if len(out) < 2 {
		t.Fatalf("the page has %d examples", len(out))
	}
	return out
}
