package metatest

import (
	"bytes"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	language "github.com/cartulary/cartulary/metadata-service/internal/metatest"
	"github.com/cartulary/cartulary/metadata-service/internal/model"
)

// isStored reports whether the stored results equal the decision and no action is due, so that
// nothing is written. It compares text only: most results stay the same between evaluations, and
// decoding them takes ten times as long as deciding. It returns false when the comparison is
// inconclusive.
//
// Stored values are canonical: the relevant members of an entry are adjacent, and entries are
// ordered by test.
func (d *decision) isStored(rec *model.Record, all bool) bool {
	var text []byte
	if rec != nil {
		text = rec.Value
	}
	expected := 0
	for _, verdict := range []language.Verdict{language.Failing, language.Passing} { // the order of members
		rest := text
		for i, t := range d.tests {
			if d.verdicts[i] != verdict {
				continue
			}
			if len(t.actions(verdict)) > 0 || t.test.Undo {
				return false
			}
			expected++
			entry := t.entries[verdict]
			at := bytes.Index(rest, entry)
			if at < 0 {
				return false
			}
			rest = rest[at+len(entry):]
		}
	}
	if all {
		return bytes.Count(text, entryMark) == expected
	}
	for i, t := range d.tests {
		if d.verdicts[i] == language.NotSelected && bytes.Contains(text, t.mark) {
			return false
		}
	}
	return true
}

// entryMark occurs once in each entry: inside a JSON string its quotes would be escaped.
var entryMark = []byte(`,"testDefinitionMd5":`)

func (t *compiledTest) actions(of language.Verdict) []language.Action {
	if of == language.Passing {
		return t.test.Passing
	}
	return t.test.Failing
}

// prepare encodes the fragments of result entries for each verdict.
func (t *compiledTest) prepare() {
	t.mark = jsontree.AppendString([]byte(`"test":`), string(t.urn))
	for verdict, name := range map[language.Verdict]string{language.Passing: "SUCCESS", language.Failing: "FAILURE"} {
		entry := append(bytes.Clone(t.mark), entryMark...)
		entry = jsontree.AppendString(entry, t.test.Fingerprint)
		t.entries[verdict] = jsontree.AppendString(append(entry, `,"type":`...), name)
	}
}
