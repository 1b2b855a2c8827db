package httpserver

// CountHeaderLines is how many lines of each framing header a connection shows
// whose stream arrives in these pieces.
func CountHeaderLines(pieces ...[]byte) (lengths, codings int64) {
	var lines headerLines
	for _, piece := range pieces {
		lines.scan(piece)
	}
	return lines.lengths.Load(), lines.codings.Load()
}

// MaxGzipWriters is how many answers are compressed at a time.
const MaxGzipWriters = maxGzipWriters
