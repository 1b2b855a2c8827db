package system

import (
	_ "embed"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"
	swaggerfiles "github.com/swaggo/files/v2"

	"github.com/cartulary/cartulary/metadata-service/internal/jsontree"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/spec"
)

// initializer is the start script of the page. It replaces the script in the Swagger UI package,
// which loads a document from another host.
//
//go:embed swagger-initializer.js
var initializer []byte

// pagePolicy restricts the page to requests to its own host, whatever document it is asked to
// load.
const pagePolicy = "connect-src 'self'; img-src 'self' data:; frame-ancestors 'self'"

const initializerFile = "swagger-initializer.js"

// swaggerFiles are the files of the page; the package contains builds for other uses, too.
var swaggerFiles = [...]string{
	"index.html", "index.css", "swagger-ui.css", "swagger-ui-bundle.js", "swagger-ui-standalone-preset.js",
	"favicon-16x16.png", "favicon-32x32.png",
}

// prefixOf is the part of the request path before /openapi.
func prefixOf(c *endpoint.Call) string {
	before, _, _ := strings.Cut(c.Request().URL.EscapedPath(), spec.Root)
	return before
}

func (a *API) serveRootDocument(c *endpoint.Call) error { return a.sendDocument(c, spec.GroupV3) }

func (a *API) serveDocument(c *endpoint.Call) error {
	group := c.PathParams["group"]
	if a.document(group) == nil {
		return c.NoEndpoint()
	}
	return a.sendDocument(c, group)
}

// sendDocument sends the members with the server URL before the shared rest of the document. The
// rest has megabytes, so all responses share it.
func (a *API) sendDocument(c *endpoint.Call, group string) error {
	start := []byte(`{"openapi":"` + spec.OpenAPIVersion + `","servers":[{"url":`)
	start = append(jsontree.AppendString(start, prefixOf(c)+"/"), `}],`...)
	if err := c.JSONBlob(http.StatusOK, start); err != nil {
		return err
	}
	_, err := c.Response().Write(a.document(group)()[1:])
	return err
}

// schemaType is the media type of a JSON Schema.
const schemaType = "application/schema+json"

func (a *API) serveTestSchema(c *endpoint.Call) error {
	return c.Blob(http.StatusOK, schemaType, a.testSchema())
}

func (a *API) swaggerConfig(c *endpoint.Call) error {
	type documentURL struct {
		URL  string `json:"url"`
		Name string `json:"name"`
	}
	config := struct {
		URLs         []documentURL `json:"urls"`
		Primary      string        `json:"urls.primaryName"`
		ValidatorURL string        `json:"validatorUrl"`
	}{Primary: spec.GroupV3}
	for _, group := range []string{spec.GroupV3, spec.GroupOperations, spec.GroupV2, spec.GroupV1} {
		config.URLs = append(config.URLs, documentURL{URL: prefixOf(c) + spec.Root + "/v3/api-docs/" + group, Name: group})
	}
	return c.JSON(http.StatusOK, config)
}

func (a *API) swaggerRedirect(c *endpoint.Call) error {
	return c.Redirect(http.StatusFound, prefixOf(c)+spec.Root+"/swagger-ui/index.html")
}

func (a *API) swaggerFile(c *endpoint.Call) error {
	name := c.PathParams["file"]
	c.Response().Header().Set(echo.HeaderCacheControl, "no-cache")
	c.Response().Header().Set(echo.HeaderContentSecurityPolicy, pagePolicy)
	if name == initializerFile {
		return c.Blob(http.StatusOK, contentType(name), initializer)
	}
	for _, known := range swaggerFiles {
		if name != known {
			continue
		}
		return sendFile(c, name)
	}
	return c.NoEndpoint()
}

// sendFile sends a file of the page in pieces. Reading the whole file would copy it for each
// response.
func sendFile(c *endpoint.Call, name string) error {
	file, err := swaggerfiles.FS.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	return c.Stream(http.StatusOK, contentType(name), file)
}

func contentType(name string) string { return mime.TypeByExtension(path.Ext(name)) }
