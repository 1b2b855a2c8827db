package explorer

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed all:dist
var dist embed.FS

// Built is what the build of frontend-proxy/web left in dist/: the page, its
// files, or the placeholder alone.
func Built() (fs.FS, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("open the built explorer: %w", err)
	}
	return files, nil
}
