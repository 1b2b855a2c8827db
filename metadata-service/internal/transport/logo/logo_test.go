package logo_test

import (
	"encoding/json"
	"encoding/xml"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/model"
	"github.com/cartulary/cartulary/metadata-service/internal/transport/logo"
	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

func server(t *testing.T) (*echo.Echo, *model.Registry) {
	t.Helper()
	registry, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) { _ = c.NoContent(fault.KindOf(err).Status()) }
	if err := logo.Mount(e, registry); err != nil {
		t.Fatal(err)
	}
	return e, registry
}

func get(e *echo.Echo, path, etag string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("If-None-Match", etag)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w
}

func TestEveryDefaultPlatformHasAPicture(t *testing.T) {
	t.Parallel()
	e, registry := server(t)
	sets, err := registry.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, set := range sets {
		for _, row := range set.Rows {
			if row.Aspect != "dataPlatformInfo" {
				continue
			}
			var info struct{ DisplayName, LogoURL string }
			if err := json.Unmarshal(row.Value, &info); err != nil {
				t.Fatal(err)
			}
			seen++
			got := get(e, "/"+info.LogoURL, "")
			var picture struct {
				XMLName xml.Name `xml:"svg"`
				Title   string   `xml:"title"`
				Text    string   `xml:"text"`
			}
			if err := xml.Unmarshal(got.Body.Bytes(), &picture); err != nil || picture.Title != info.DisplayName || picture.Text == "" || len(picture.Text) > 2 {
				t.Errorf("%s at %q: %d %v %+v", row.URN, info.LogoURL, got.Code, err, picture)
			}
			client := "/" + logo.Folder + "/" + strings.ToLower(urn.URN(row.URN).Key()) + "logo.png"
			if same := get(e, client, ""); same.Code != http.StatusOK || same.Body.String() != got.Body.String() {
				t.Errorf("%s at %s: %d", row.URN, client, same.Code)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d platforms were seen", seen)
	}
}

func TestTheAdministratorHasAPicture(t *testing.T) {
	t.Parallel()
	e, registry := server(t)
	sets, err := registry.Defaults()
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		for _, row := range set.Rows {
			if row.URN != "urn:li:corpuser:datahub" || row.Aspect != "corpUserEditableInfo" {
				continue
			}
			var profile struct{ PictureLink string }
			if err := json.Unmarshal(row.Value, &profile); err != nil {
				t.Fatal(err)
			}
			got := get(e, "/"+profile.PictureLink, "")
			if profile.PictureLink == "" || got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/svg+xml" || xml.Unmarshal(got.Body.Bytes(), new(struct{})) != nil {
				t.Errorf("%q: %d %v", profile.PictureLink, got.Code, got.Header())
			}
			return
		}
	}
	t.Error("there is no profile")
}

func TestPicturesAreKept(t *testing.T) {
	t.Parallel()
	e, _ := server(t)
	first := get(e, "/assets/platforms/postgres.svg", "")
	if h := first.Header(); first.Code != http.StatusOK || h.Get("Cache-Control") != "public, max-age=86400" || h.Get("Content-Type") != "image/svg+xml" || h.Get("ETag") == "" {
		t.Fatalf("%d %v", first.Code, h)
	}
	for _, etag := range []string{first.Header().Get("ETag"), "W/" + first.Header().Get("ETag")} {
		if again := get(e, "/assets/platforms/postgres.svg", etag); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
			t.Errorf("with %s: %d %s", etag, again.Code, again.Body)
		}
	}
	for _, absent := range []string{"none.svg", "postgres", "..%2Fpostgres.svg", strings.Repeat("a", 5000)} {
		if got := get(e, "/assets/platforms/"+absent, ""); got.Code != http.StatusNotFound {
			t.Errorf("%.40s: %d", absent, got.Code)
		}
	}
}
