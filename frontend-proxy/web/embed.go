// Package web holds the built pages of the user interface. A build without
// them has a placeholder alone, so that Go needs no other tool chain.
package web

import "embed"

// Dist is the build result, under dist/.
//
//go:embed all:dist
var Dist embed.FS
