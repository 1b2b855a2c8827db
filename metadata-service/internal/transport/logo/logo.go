// Package logo draws the pictures that default data refers to: for the logoUrl of a built-in data
// platform, a tile in a colour of its own with the first letters of its name; and the picture of
// users without one, which is also that of the built-in administrator. DataHub's web client
// expects logos of its own at <name>logo.png in the same folder; these requests receive the
// pictures of this package.
package logo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html"
	"net/http"
	"path"
	"strings"
	"unicode"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// Folder is the path of the pictures in logoUrl, and Avatar the file name of the picture for
// users without one.
const (
	Folder = "assets/platforms"
	Avatar = "default_avatar.png"
)

// maxAge is the time that browsers may cache a picture, in seconds: one day.
const maxAge = 86_400

// picture is a drawn logo.
type picture struct {
	svg  []byte
	etag string
}

// Mount adds the pictures for the default data of a registry. They are public, because they
// reveal only the platforms that the program supports. All are SVG, whatever their file
// extension. The error is that of reading the default data.
func Mount(e *echo.Echo, registry *model.Registry) error {
	pictures, err := draw(registry)
	if err != nil {
		return err
	}
	send := func(c echo.Context) error {
		p, ok := pictures[c.Param("file")]
		if !ok {
			return fault.New(fault.NotFound, "no built-in data platform has this logo, and no user this picture")
		}
		header := c.Response().Header()
		header.Set("Cache-Control", fmt.Sprintf("public, max-age=%d", maxAge))
		header.Set("ETag", p.etag)
		// A response that is compressed on its way has the weak form of the tag.
		if strings.TrimPrefix(c.Request().Header.Get("If-None-Match"), "W/") == p.etag {
			return c.NoContent(http.StatusNotModified)
		}
		// Opened as a document, the picture runs and loads nothing.
		header.Set("Content-Security-Policy", "default-src 'none'")
		return c.Blob(http.StatusOK, "image/svg+xml", p.svg)
	}
	e.GET("/"+Folder+"/:file", send)
	e.HEAD("/"+Folder+"/:file", send)
	return nil
}

// draw draws the pictures that default data refers to, by file name.
func draw(registry *model.Registry) (map[string]picture, error) {
	sets, err := registry.Defaults()
	if err != nil {
		return nil, err
	}
	out := map[string]picture{Avatar: pictureOf([]byte(avatar))}
	for _, set := range sets {
		for _, row := range set.Rows {
			if row.Aspect != "dataPlatformInfo" {
				continue
			}
			var info struct{ Name, DisplayName, LogoURL string }
			if err := json.Unmarshal(row.Value, &info); err != nil {
				return nil, fmt.Errorf("default data of %s: %w", row.URN, err)
			}
			if folder, file := path.Split(info.LogoURL); folder == Folder+"/" {
				p := pictureOf(tile(info.Name, info.DisplayName))
				out[file] = p
				for _, name := range clientFiles(urn.URN(row.URN)) {
					out[name] = p
				}
			}
		}
	}
	return out, nil
}

func pictureOf(svg []byte) picture {
	sum := sha256.Sum256(svg)
	return picture{svg: svg, etag: `"` + hex.EncodeToString(sum[:8]) + `"`}
}

// clientFiles returns the file names under which DataHub's web client requests the logo of a
// platform. It omits the hyphens of some names.
func clientFiles(platform urn.URN) []string {
	name := strings.ToLower(platform.Key())
	return []string{name + "logo.png", strings.ReplaceAll(name, "-", "") + "logo.png"}
}

// avatar is the picture for users without one: a head above shoulders.
const avatar = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img"><title>User</title>` +
	`<rect width="64" height="64" fill="hsl(215,25%,38%)"/><circle cx="32" cy="25" r="11" fill="#fff"/>` +
	`<path d="M10 64a22 22 0 0 1 44 0z" fill="#fff"/></svg>`

// tile is the picture of a platform: white letters on a background with a lightness of 38%, which
// gives contrast for every hue.
func tile(name, title string) []byte {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(name))
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img"><title>%s</title>`+
		`<rect width="64" height="64" rx="14" fill="hsl(%d,48%%,38%%)"/>`+
		`<text x="32" y="42" font-family="system-ui,sans-serif" font-size="28" font-weight="600" text-anchor="middle" fill="#fff">%s</text></svg>`,
		html.EscapeString(title), hash.Sum32()%360, html.EscapeString(monogram(title)))
}

// monogram returns the initials of the first two words, or the first two letters of a single
// word.
func monogram(title string) string {
	words := strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	switch len(words) {
	case 0:
		return "?"
	case 1:
		letters := []rune(words[0])
		return strings.ToUpper(string(letters[:1])) + strings.ToLower(string(letters[1:min(2, len(letters))]))
	}
	return strings.ToUpper(string([]rune(words[0])[:1]) + string([]rune(words[1])[:1]))
}
