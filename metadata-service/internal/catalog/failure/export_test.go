package failure

// Keeping makes the log keep so many bytes.
func (l *Log) Keeping(bytes int) *Log {
	l.kept = bytes
	return l
}
