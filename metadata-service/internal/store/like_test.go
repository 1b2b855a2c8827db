package store_test

import (
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/store"
)

func TestLikeMatchesWholeTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, pattern, text string
		want                bool
	}{
		{"a plain pattern is the text itself", "abc", "abc", true},
		{"a plain pattern is no prefix", "ab", "abc", false},
		{"percent stands for any text", "a%c", "abbbc", true},
		{"percent stands for no text", "a%c", "ac", true},
		{"percent goes back to where it can match", "%abc", "ababc", true},
		{"underscore stands for one character of any size", "a_c", "aéc", true},
		{"underscore stands for no less than one", "a_c", "ac", false},
		{"an empty pattern matches the empty text alone", "", "a", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := store.Like(c.pattern, c.text); got != c.want {
				t.Errorf("Like(%q, %q) = %v, want %v", c.pattern, c.text, got, c.want)
			}
			if prefix := store.LikePrefix(c.pattern); c.want && !strings.HasPrefix(c.text, prefix) {
				t.Errorf("LikePrefix(%q) = %q, with which %q does not begin", c.pattern, prefix, c.text)
			}
		})
	}
}
