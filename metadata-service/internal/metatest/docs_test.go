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
	page, err := os.ReadFile("../../../docs/api/metadata-tests.md")
	if err != nil {
		t.Fatal(err)
	}
	r, examples := registry(t), 0
	for part := range strings.SplitSeq(string(page), "```yaml\n") {
		if example, _, ok := strings.Cut(part, "```"); ok && strings.HasPrefix(example, "on:") {
			examples++
			if _, err := metatest.Parse(r, []byte(example)); err != nil {
				t.Errorf("%v in:\n%s", err, example)
			}
		}
	}
	if examples < 2 {
		t.Errorf("the page has %d examples", examples)
	}
	for row := range strings.SplitSeq(string(page), "\n") {
		cells := strings.Split(row, "|")
		if len(cells) < 2 {
			continue
		}
		for _, word := range strings.Split(cells[1], "`") {
			if strings.HasPrefix(word, "relationships.") || strings.HasPrefix(word, "timeseries.") || strings.Contains(word, "ownership.") || strings.HasPrefix(word, "domains.") {
				if _, err := metatest.Parse(r, []byte(rules(`{"property": "`+word+`", "operator": "exists"}`))); err != nil {
					t.Errorf("the page names %s: %v", word, err)
				}
			}
		}
	}
}
