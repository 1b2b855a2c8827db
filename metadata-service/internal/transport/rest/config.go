package rest

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Version is the version that clients receive. They choose features and the form of writes by it,
// so it is the version of the served API, not of this program.
const Version = "v1.8.0"

// CLIVersion is the version of the client that runs ingestion when a source states none. Clients
// and servers have separate version numbers; the executor of this project has this version
// installed.
const CLIVersion = "1.7.0.17"

type configBody struct {
	NoCode            string             `json:"noCode"` // a string, otherwise clients assume another server
	Retention         string             `json:"retention"`
	Stateful          bool               `json:"statefulIngestionCapable"`
	Patch             bool               `json:"patchCapable"`
	TimeZone          string             `json:"timeZone"`
	ImpactAnalysis    bool               `json:"supportsImpactAnalysis"`
	LowerCaseDatasets bool               `json:"datasetUrnNameCasing"`
	Versions          map[string]version `json:"versions"`
	ManagedIngestion  managedIngestion   `json:"managedIngestion"`
	Telemetry         telemetry          `json:"telemetry"`
	Server            server             `json:"datahub"`
	Models            struct{}           `json:"models"`
	UserType          string             `json:"userType,omitempty"`
}

type version struct {
	Version string `json:"version"`
	Commit  string `json:"commit"`
}

type managedIngestion struct {
	Enabled bool   `json:"enabled"`
	CLI     string `json:"defaultCliVersion"`
	// Followed reports whether a program follows the changes, as executors do: without one, no
	// ingestion runs. It is absent while unknown.
	Followed *bool `json:"followed,omitempty"`
}

type telemetry struct {
	CLI       bool `json:"enabledCli"`
	Ingestion bool `json:"enabledIngestion"`
}

type server struct {
	Type        string `json:"serverType"`
	Environment string `json:"serverEnv"` // values other than core make clients use other paths
}

// config serves the first request of every client.
func (s *handlers) config(c echo.Context) error {
	verbose, err := boolParam(c, "verbose", false)
	if err != nil {
		return err
	}
	body := configBody{
		NoCode:           "true",
		Retention:        "true",
		Stateful:         true,
		Patch:            true,
		TimeZone:         "Etc/UTC",
		ImpactAnalysis:   true,
		Versions:         map[string]version{"acryldata/datahub": {Version: Version, Commit: s.Commit}},
		ManagedIngestion: managedIngestion{Enabled: true, CLI: CLIVersion},
		Server:           server{Type: "prod", Environment: "core"},
	}
	if s.Following != nil {
		if following, known := s.Following(); known {
			body.ManagedIngestion.Followed = &following
		}
	}
	if verbose {
		body.UserType = "anonymous"
		if _, known := auth.ActorFrom(c.Request().Context()); known {
			body.UserType = "user"
		}
	}
	return c.JSONPretty(http.StatusOK, body, "  ")
}
