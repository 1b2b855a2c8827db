package openlineage

import (
	"net/url"
	"slices"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/urn"
)

// platforms are those whose name here is not the scheme of their namespaces.
var platforms = map[string]string{"awsathena": "athena", "sqlserver": "mssql"}

// files are the platforms of what lies in files, by the schemes of namespaces. With
// true the bucket is a part of the name.
var files = map[string]struct {
	platform string
	bucket   bool
}{
	"s3": {"s3", true}, "s3a": {"s3", true}, "s3n": {"s3", true}, "gs": {"gcs", true}, "gcs": {"gcs", true},
	"hdfs": {"hdfs", false}, "abfs": {"abfs", false}, "abfss": {"abfs", false}, "dbfs": {"dbfs", false}, "file": {"file", false},
}

// reserved are the characters that part keys of URNs.
var reserved = strings.NewReplacer("%", "%25", ",", "%2C", "(", "%28", ")", "%29")

// urn names a dataset. One that has a table as another name is that table.
func (c *Converter) urn(d dataset) urn.URN {
	platform, called := place(d.name)
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
	return urn.Make("dataset", "urn:li:dataPlatform:"+reserved.Replace(platform), reserved.Replace(called), c.Env)
}

// place is the platform of a dataset, and what it is called there.
func place(n name) (platform, called string) {
	scheme, rest, ok := strings.Cut(n.Namespace, "://")
	if !ok {
		scheme, _, _ = strings.Cut(n.Namespace, ":") // file:, or a platform alone
	}
	scheme = strings.ToLower(scheme)
	if f, ok := files[scheme]; ok {
		if f.bucket {
			return f.platform, strings.TrimSuffix(rest, "/") + "/" + strings.Trim(n.Name, "/")
		}
		return f.platform, n.Name
	}
	if other, ok := platforms[scheme]; ok {
		scheme = other
	}
	return scheme, n.Name
}

// table is the place of a table that another name points to: table/sales/orders is
// sales.orders.
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

// flowOf names the pipeline of a job, and says what it is called.
func (c *Converter) flowOf(orchestrator string, n name) (u urn.URN, called string) {
	called = c.Flow
	if called == "" {
		called, _, _ = strings.Cut(n.Name, ".")
	}
	namespace := c.Instance
	if namespace == "" {
		namespace = n.Namespace
	}
	return urn.Make("dataFlow", reserved.Replace(orchestrator), reserved.Replace(called), reserved.Replace(namespace)), called
}

func (c *Converter) jobOf(orchestrator string, n name) urn.URN {
	flow, _ := c.flowOf(orchestrator, n)
	return urn.Make("dataJob", string(flow), reserved.Replace(n.Name))
}

// engine is the facet of what runs jobs.
type engine struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Adapter string `json:"openlineageAdapterVersion"`
}

// orchestrator is what runs the job: as configured, as the run says, or by the program
// that wrote the event.
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
	return "", fault.New(fault.Malformed, "producer: %.100q does not tell what runs the job; let the run have the facet processing_engine, or configure openlineage.orchestrator", e.Producer)
}
