package analysis

import (
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Stem is the stem of a folded word by the rules of English. Words with
// anything but the letters a to z have none: they stem to themselves.
func Stem(word string) string {
	if !MayStem(word) {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

// minStemmed is the size of the shortest word that may have another stem.
const minStemmed = 3

// MayStem tells words that may have a stem other than themselves.
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
