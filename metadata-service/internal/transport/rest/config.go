package rest

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/cartulary/cartulary/metadata-service/internal/auth"
)

// Version is the version clients are told. They choose features and the way
// they write by it, so it is that of the interface served, not of this program.
const Version = "v1.8.0"

// CLIVersion is the version of the client that runs ingestion where a source names none: clients
// are numbered apart from servers, and the executor of this project has it installed.
const CLIVersion = "1.7.0.17"

type configBody struct {
	NoCode            string             `json:"noCode"` // text, or clients believe they reached something else
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
	// Followed tells whether a program follows the changes, as executors do: without one
	// nothing is run. Absent while that is not known.
	Followed *bool `json:"followed,omitempty"`
}

type telemetry struct {
	CLI       bool `json:"enabledCli"`
	Ingestion bool `json:"enabledIngestion"`
}

type server struct {
	Type        string `json:"serverType"`
	Environment string `json:"serverEnv"` // anything but core makes clients take other paths
}

// config is the first thing every client asks.
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
