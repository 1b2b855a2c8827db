package endpoint

// AppendListed parses the value of a list parameter, for fuzzing.
func AppendListed(text string) []string { return appendItems(nil, text) }
