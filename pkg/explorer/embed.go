package explorer

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Built returns the output of the build of frontend-proxy/web in dist/: the page and its files, or
// only the placeholder.
func Built() (fs.FS, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("open the built explorer: %w", err)
	}
	return files, nil
}
