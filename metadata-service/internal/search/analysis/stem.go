package analysis

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stem returns the stem of a folded word by the rules of English. It returns words with characters
// other than a to z unchanged.
func Stem(word string) string {
	if !MayStem(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// minStemmed is the length of the shortest word that may have another stem.
const minStemmed = 3

// MayStem reports whether a word may have a stem other than itself.
func MayStem[T string | []byte](word T) bool {
	if len(word) < minStemmed {
		return false
	}
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}
