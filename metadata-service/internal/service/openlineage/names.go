package openlineage

import (
	"net/url"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// platformNames maps namespace schemes to platforms with another name.
var platformNames = map[string]string{"awsathena": "athena", "sqlserver": "mssql"}

// filePlatforms maps namespace schemes to platforms of files. With true the bucket is part of the
// name.
var filePlatforms = map[string]struct {
	platform string
	bucket   bool
}{
	"s3": {"s3", true}, "s3a": {"s3", true}, "s3n": {"s3", true}, "gs": {"gcs", true}, "gcs": {"gcs", true},
	"hdfs": {"hdfs", false}, "abfs": {"abfs", false}, "abfss": {"abfs", false}, "dbfs": {"dbfs", false}, "file": {"file", false},
}

// keyEscaper escapes the separator characters of URN keys.
var keyEscaper = strings.NewReplacer("%", "%25", ",", "%2C", "(", "%28", ")", "%29")

// urn returns the URN of a dataset. If a symlink names a table, it is the URN of that table.
func (c *Converter) urn(d dataset) urn.URN {
	platform, called := placeOf(d.name)
	var links struct {
		Identifiers []struct {
			name
			Type string `json:"type"`
		} `json:"identifiers"`
	}
	if d.Facets.read("symlinks", &links) {
		for _, link := range links.Identifiers {
			if link.Type == "TABLE" && link.Name != "" && len(link.Name) <= maxName {
				platform, called = table(link.name)
				break
			}
		}
	}
	return urn.Make("dataset", "urn:li:dataPlatform:"+keyEscaper.Replace(platform), keyEscaper.Replace(called), c.Env)
}

// placeOf returns the platform of a dataset and its name there.
func placeOf(n name) (platform, called string) {
	scheme, rest, ok := strings.Cut(n.Namespace, "://")
	if !ok {
		scheme, _, _ = strings.Cut(n.Namespace, ":") // file:, or only a platform
	}
	scheme = strings.ToLower(scheme)
	if f, ok := filePlatforms[scheme]; ok {
		if f.bucket {
			return f.platform, strings.TrimSuffix(rest, "/") + "/" + strings.Trim(n.Name, "/")
		}
		return f.platform, n.Name
	}
	if other, ok := platformNames[scheme]; ok {
		scheme = other
	}
	return scheme, n.Name
}

// table returns the platform and name of a table symlink: table/sales/orders gives sales.orders.
func table(n name) (platform, called string) {
	platform = "hive"
	if strings.Contains(n.Namespace, ":glue:") || strings.HasPrefix(n.Namespace, "glue") {
		platform = "glue"
	}
	if rest, ok := strings.CutPrefix(n.Name, "table/"); ok {
		return platform, strings.ReplaceAll(rest, "/", ".")
	}
	return platform, n.Name
}

// flowOf returns the URN and the name of the pipeline of a job.
func (c *Converter) flowOf(orchestrator string, n name) (u urn.URN, called string) {
	called = c.Flow
	if called == "" {
		called, _, _ = strings.Cut(n.Name, ".")
	}
	namespace := c.Instance
	if namespace == "" {
		namespace = n.Namespace
	}
	return urn.Make("dataFlow", keyEscaper.Replace(orchestrator), keyEscaper.Replace(called), keyEscaper.Replace(namespace)), called
}

func (c *Converter) jobOf(orchestrator string, n name) urn.URN {
	flow, _ := c.flowOf(orchestrator, n)
	return urn.Make("dataJob", string(flow), keyEscaper.Replace(n.Name))
}

// engine is the facet of the processing engine.
type engine struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Adapter string `json:"openlineageAdapterVersion"`
}

// orchestrator returns the system that runs the job: as configured, from the facet of the run, or
// from the producer of the event.
func (c *Converter) orchestrator(e *event) (string, error) {
	if c.Orchestrator != "" {
		return c.Orchestrator, nil
	}
	var by engine
	if e.Run != nil && e.Run.Facets.read("processing_engine", &by) && by.Name != "" && len(by.Name) <= maxName {
		return strings.ToLower(by.Name), nil
	}
	at, err := url.Parse(e.Producer)
	if err != nil {
		return "", fault.New(fault.Malformed, "producer: %.100q is no address", e.Producer)
	}
	parts := strings.FieldsFunc(strings.ToLower(at.Host+at.Path), func(r rune) bool { return r == '/' })
	switch {
	case slices.Contains(parts, "openlineage") && len(parts) > 3:
		return parts[len(parts)-1], nil
	case slices.Contains(parts, "airflow"):
		return "airflow", nil
	case slices.Contains(parts, "trino"):
		return "trino", nil
	}
	return "", fault.New(fault.Malformed, "producer: %.100q does not identify the orchestrator of the job; send the run facet processing_engine, or set openlineage.orchestrator", e.Producer)
}
