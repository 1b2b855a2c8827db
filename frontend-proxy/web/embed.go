// Package web embeds the built pages of the user interface. A build without them contains only a
// placeholder, so that the Go build needs no other tool chain.
package web

import "embed"

// Dist is the build result, under dist/.
//
//go:embed all:dist
var Dist embed.FS
