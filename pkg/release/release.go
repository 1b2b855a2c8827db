// Package release identifies the release and the commit of a binary. Programs that are built
// together report the same values.
package release

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// The linker sets version and commit; otherwise the build information of the go command applies.
var version, commit string

const unreleased = "dev"

// Version returns the release, such as 1.2.3, or "dev" for other builds.
func Version() string {
	if version == "" {
		return unreleased
	}
	return version
}

// Commit returns the revision, or "unknown" if the build did not record one.
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

// Stamp returns all version information in one line that begins with the release.
func Stamp() string {
	return fmt.Sprintf("%s (commit %s, %s %s/%s)", Version(), Commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
