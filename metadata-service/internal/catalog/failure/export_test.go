package failure

// Keeping sets the number of bytes that the log keeps.
func (l *Log) Keeping(bytes int) *Log {
	l.maxBytes = bytes
	return l
}
