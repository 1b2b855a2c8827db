package analysis

import "strings"

// Ancestors returns the ancestors of a path and, last, the path itself: for "/a/b" these are "/a"
// and "/a/b". A path starts with its separator.
func Ancestors(path, separator string) []string {
	path = separator + strings.Trim(path, separator)
	if path == separator {
		return nil
	}
	var paths []string
	for i := len(separator); i < len(path); {
		next := strings.Index(path[i:], separator)
		if next < 0 {
			break
		}
		paths = append(paths, path[:i+next])
		i += next + len(separator)
	}
	return append(paths, path)
}
