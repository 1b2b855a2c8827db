package roaring

import (
	"bytes"
	"unicode/utf8"

	"github.com/cartulary/cartulary/metadata-service/internal/search/analysis"
)

// phraseMatcher looks for a phrase in texts. Cutting texts into pieces is slow, so
// texts that cannot hold the phrase are ruled out by their letters first.
type phraseMatcher struct {
	pieces [][]byte
	folded []byte
}

func newPhraseMatcher(pieces []string) *phraseMatcher {
	r := &phraseMatcher{}
	for _, piece := range pieces {
		r.pieces = append(r.pieces, []byte(piece))
	}
	return r
}

// matches reports whether a text holds the phrase.
func (r *phraseMatcher) matches(text []byte) bool {
	possible, sure := r.matchLetters(text)
	if !possible || sure {
		return possible
	}
	sequence := analysis.Sequence(string(text))
	for i := 0; i+len(r.pieces) <= len(sequence); i++ {
		same := true
		for j, piece := range r.pieces {
			if sequence[i+j] != string(piece) {
				same = false
				break
			}
		}
		if same {
			return true
		}
	}
	return false
}

// matchLetters tells whether the pieces follow each other in a text with nothing but
// punctuation between them, and whether they are surely pieces: parts of words
// and capitals leave doubts. Of texts with accents it does not know.
func (r *phraseMatcher) matchLetters(text []byte) (possible, sure bool) {
	r.folded = r.folded[:0]
	for _, b := range text {
		if b >= utf8.RuneSelf {
			return true, false
		}
		if 'A' <= b && b <= 'Z' {
			b += 'a' - 'A'
		}
		r.folded = append(r.folded, b)
	}
	for at := 0; ; at++ {
		i := bytes.Index(r.folded[at:], r.pieces[0])
		if i < 0 {
			return possible, false
		}
		at += i
		end, apart := r.followedBy(at + len(r.pieces[0]))
		if end == 0 {
			continue
		}
		possible = true
		begins := at == 0 || !isLetterOrDigit(r.folded[at-1])
		ends := end == len(text) || !isLetterOrDigit(r.folded[end])
		if begins && ends && apart && bytes.Equal(text[at:end], r.folded[at:end]) {
			return true, true
		}
	}
}

// followedBy gives where the further pieces end, 0 when they do not follow, and
// whether something stands between all of them.
func (r *phraseMatcher) followedBy(at int) (end int, apart bool) {
	apart = true
	for _, piece := range r.pieces[1:] {
		before := at
		for at < len(r.folded) && !isLetterOrDigit(r.folded[at]) {
			at++
		}
		if !bytes.HasPrefix(r.folded[at:], piece) {
			return 0, false
		}
		apart = apart && at > before
		at += len(piece)
	}
	return at, apart
}

func isLetterOrDigit(b byte) bool { return 'a' <= b && b <= 'z' || '0' <= b && b <= '9' }
