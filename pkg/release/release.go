// Package release tells which release a binary is, and which commit it was built
// from. Both programs say the same when they are built together.
package release

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version and commit are set by the linker; without, what the go command has noted
// takes their place.
var version, commit string

const unreleased = "dev"

// Version is the release, such as 1.2.3, and "dev" for a build that is none.
func Version() string {
	if version == "" {
		return unreleased
	}
	return version
}

// Commit is the revision, and "unknown" when the build did not see one.
func Commit() string {
	if commit != "" {
		return commit
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return revision(info.Settings)
}

func revision(settings []debug.BuildSetting) string {
	found, changed := "unknown", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision" && s.Value != "":
			found = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = "-dirty"
		}
	}
	if found == "unknown" {
		return found
	}
	return found + changed
}

// Stamp is all of it in a line, which begins with the release.
func Stamp() string {
	return fmt.Sprintf("%s (commit %s, %s %s/%s)", Version(), Commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
