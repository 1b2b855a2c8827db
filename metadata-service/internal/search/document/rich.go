package document

import "strings"

// stripMarkup removes markup and inline images from a text, so that words are indexed and
// attributes are not.
func stripMarkup(text string) string {
	if !strings.ContainsAny(text, "<(") {
		return text
	}
	var out strings.Builder
	for text != "" {
		at := strings.IndexAny(text, "<(")
		if at < 0 {
			out.WriteString(text)
			break
		}
		out.WriteString(text[:at])
		text = text[at:]
		end := markup(text)
		if end == 0 {
			out.WriteByte(text[0])
			end = 1
		} else {
			out.WriteByte(' ')
		}
		text = text[end:]
	}
	return strings.TrimSpace(out.String())
}

// markup returns the length of the tag or inline image at the start of a text, 0 for neither.
func markup(text string) int {
	if strings.HasPrefix(text, "(data:") {
		if end := strings.IndexByte(text, ')'); end > 0 {
			return end + 1
		}
		return 0
	}
	if text[0] != '<' || len(text) < 2 {
		return 0
	}
	if c := text[1]; c != '/' && c != '!' && (c|0x20 < 'a' || c|0x20 > 'z') {
		return 0 // "a < b"
	}
	end := strings.IndexByte(text, '>')
	// An address between angle brackets is text.
	if end < 0 || strings.Contains(text[:end], "@") || strings.Contains(text[:end], "://") && !strings.Contains(text[:end], " ") {
		return 0
	}
	return end + 1
}
