package system

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/openapi/endpoint"
)

// componentInfo describes a component of the service under the name that clients expect.
type componentInfo struct {
	Name       string            `json:"name"`
	Status     string            `json:"status"`
	Version    string            `json:"version"`
	Properties map[string]string `json:"properties"`
}

type componentsInfo struct {
	Service  componentInfo `json:"gms"`
	Changes  componentInfo `json:"maeConsumer"`
	Proposed componentInfo `json:"mceConsumer"`
}

// propertyInfo is a setting and its source.
type propertyInfo struct {
	Key           string `json:"key"`
	Value         string `json:"value"`
	Source        string `json:"source"`
	SourceType    string `json:"sourceType"`
	ResolvedValue string `json:"resolvedValue"`
}

type propertySource struct {
	Name          string `json:"name"`
	Type          string `json:"type"`
	PropertyCount int    `json:"propertyCount"`
}

// The settings come from a file and from the environment, merged when they are read.
const (
	settingsName = "settings"
	settingsType = "configuration"
)

func (a *API) systemInfo(c *endpoint.Call) error {
	return c.JSON(http.StatusOK, map[string]componentsInfo{"springComponents": a.components()})
}

func (a *API) systemComponents(c *endpoint.Call) error { return c.JSON(http.StatusOK, a.components()) }

func (a *API) systemProperties(c *endpoint.Call) error {
	configured := a.maskedProperties()
	properties, hidden := make(map[string]propertyInfo, len(configured)), 0
	for key, value := range configured {
		properties[key] = propertyInfo{Key: key, Value: value, ResolvedValue: value, Source: settingsName, SourceType: settingsType}
		if value == redactedValue {
			hidden++
		}
	}
	return c.JSON(http.StatusOK, struct {
		Properties map[string]propertyInfo `json:"properties"`
		Sources    []propertySource        `json:"propertySources"`
		Total      int                     `json:"totalProperties"`
		Redacted   int                     `json:"redactedProperties"`
	}{properties, []propertySource{{settingsName, settingsType, len(properties)}}, len(properties), hidden})
}

func (a *API) simpleProperties(c *endpoint.Call) error {
	return c.JSON(http.StatusOK, a.maskedProperties())
}

// components are the service and the consumers of its change log, which run inside it.
func (a *API) components() componentsInfo {
	consumer := func(name string) componentInfo {
		return componentInfo{Name: name, Status: "AVAILABLE", Version: a.Version, Properties: map[string]string{"mode": "embedded", "runsIn": "gms"}}
	}
	return componentsInfo{
		Service: componentInfo{Name: "GMS", Status: "AVAILABLE", Version: a.Version, Properties: a.maskedProperties()},
		Changes: consumer("MAE Consumer"), Proposed: consumer("MCE Consumer"),
	}
}

// maskedProperties returns the configuration with secrets masked.
func (a *API) maskedProperties() map[string]string {
	shown := map[string]string{}
	if a.Properties == nil {
		return shown
	}
	for key, value := range a.Properties() {
		if isSecretKey(key) && !isScalarSetting(value) {
			value = redactedValue
		}
		shown[key] = value
	}
	return shown
}

const redactedValue = "***REDACTED***"

// isSecretKey reports whether the value of a key may be a secret, judged by its name.
func isSecretKey(key string) bool {
	key = strings.ToLower(key)
	if strings.Contains(key, "cache") {
		return false
	}
	for _, word := range []string{"password", "passphrase", "secret", "key", "token", "credential", "private", "auth", "salt", "headers"} {
		if strings.Contains(key, word) {
			return true
		}
	}
	return false
}

// isScalarSetting reports whether a value is a number, a duration or a boolean: limits and
// switches are, secrets are not.
func isScalarSetting(value string) bool {
	if _, err := strconv.ParseInt(value, 10, 32); err == nil {
		return true
	}
	if _, err := strconv.ParseBool(value); err == nil {
		return true
	}
	_, err := time.ParseDuration(value)
	return err == nil
}
