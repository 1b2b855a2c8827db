// Package sample generates search documents of a data catalog for measurements: tables and charts
// of several departments, with realistic names and descriptions, with tags, owners, domains,
// columns and browse paths. Equal numbers give equal search documents in every process, so that
// measurements can be compared.
package sample

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
	"github.com/cartulary/cartulary/pkg/urn"
)

var (
	subjects = strings.Fields(`orders customers payments invoices shipments products prices stock returns sessions clicks campaigns leads accounts
		contracts employees salaries tickets reviews suppliers warehouses routes vehicles sensors readings alerts budgets forecasts ledgers taxes
		coupons baskets wishlists addresses devices logins consents surveys recipes courses students grades rooms bookings guests flights seats
		crews meters tariffs outages claims policies patients visits labs doses trials genes papers patents grants`)
	aspects = strings.Fields(`daily weekly monthly hourly latest history snapshot summary detail staging raw clean enriched merged ranked scored
		hashed masked archived current previous delta events facts dimension lookup bridge mapping audit errors rejects`)
	schemas   = strings.Fields(`shop finance people growth support logistics research platform legal facilities`)
	platforms = strings.Fields(`hive snowflake bigquery postgres mysql kafka redshift databricks s3 iceberg clickhouse oracle trino druid pinot`)
	charts    = strings.Fields(`looker superset tableau powerbi metabase`)
	prose     = strings.Fields(`one row for each record as it arrives from the source kept for seven years after which it is removed joined with the
		reference data of the department and checked every night by the owners of the pipeline who answer questions in their channel values are in
		euro unless said otherwise times are in utc columns that hold personal data are masked use the view instead of the table when you report`)
	columns = strings.Fields(`id created_at updated_at status amount currency country region city email phone name type source version quantity
		unit price discount total start_date end_date owner_id customer_id product_id order_id channel device browser score rank flag comment`)
)

// CommonWord is in the description of more than half of all search documents, Word in the names of
// about one in a hundred.
const (
	CommonWord = "data"
	Word       = "invoices"
)

// Schemas returns the fields of the search documents in the form that a registry provides.
func Schemas() []search.Schema {
	fields := []search.Field{
		{Name: "name", Kind: search.WordGram, Query: true, Boost: 10, Autocomplete: true, Aliases: []string{"_entityName"}},
		{Name: "description", Kind: search.Text, Query: true},
		{Name: "fieldPaths", Kind: search.Text, Query: true, Boost: 5},
		{Name: "platform", Kind: search.URNKind, Facet: true},
		{Name: "tags", Kind: search.URNKind, Query: true, Boost: 0.5, Facet: true},
		{Name: "owners", Kind: search.URNKind, Facet: true},
		{Name: "domains", Kind: search.URNKind, Facet: true},
		{Name: "typeNames", Kind: search.Keyword, Facet: true},
		{Name: "origin", Kind: search.Keyword, Facet: true},
		{Name: "removed", Kind: search.Boolean},
		{Name: "hasDescription", Kind: search.Boolean},
		{Name: "hasOwners", Kind: search.Boolean},
		{Name: "hasTags", Kind: search.Boolean},
		{Name: "rowCount", Kind: search.Count},
		{Name: "lastModifiedAt", Kind: search.DateTime},
		{Name: "browsePathV2", Kind: search.BrowsePathV2},
	}
	return []search.Schema{{EntityType: "dataset", Fields: fields}, {EntityType: "chart", Fields: fields}}
}

// Document returns search document n.
func Document(n int) *search.Document {
	r := rand.New(rand.NewPCG(uint64(n), 97))
	subject, schema := pick(r, subjects), pick(r, schemas)
	name := subject + "_" + pick(r, aspects)
	if r.IntN(4) == 0 {
		name += "_" + pick(r, aspects)
	}
	name += "_" + strconv.Itoa(n)
	platform := pick(r, platforms)
	d := &search.Document{Type: "dataset"}
	full := schema + "." + name
	d.URN = urn.URN("urn:li:dataset:(urn:li:dataPlatform:" + platform + "," + full + ",PROD)")
	subType := "Table"
	if n%5 == 4 {
		platform = pick(r, charts)
		d.Type, subType = "chart", "Chart"
		d.URN = urn.URN("urn:li:chart:(" + platform + "," + full + ")")
	} else if r.IntN(3) == 0 {
		subType = "View"
	}
	d.Fields = map[string][]search.Value{
		"name":           text(name),
		"description":    text(subject + " " + sentence(r, 8+r.IntN(24))),
		"platform":       text("urn:li:dataPlatform:" + platform),
		"owners":         sampleURNs(r, 1+r.IntN(2), "urn:li:corpuser:user", 2000),
		"domains":        text("urn:li:domain:" + schema),
		"typeNames":      text(subType),
		"origin":         text("PROD"),
		"removed":        text(strconv.FormatBool(r.IntN(50) == 0)),
		"hasDescription": text("true"), "hasOwners": text("true"),
		"rowCount":       {{Number: float64(r.IntN(10_000_000))}},
		"lastModifiedAt": {{Number: 1.7e12 + float64(r.IntN(1e9))*100}},
		"browsePathV2":   text("␟" + platform + "␟" + schema + "␟" + subject),
		"hasTags":        text("false"),
	}
	if tags := r.IntN(3); tags > 0 {
		d.Fields["tags"] = sampleURNs(r, tags, "urn:li:tag:tag", 300)
		d.Fields["hasTags"] = text("true")
	}
	for range 4 + r.IntN(12) {
		d.Fields["fieldPaths"] = append(d.Fields["fieldPaths"], search.Value{Text: pick(r, columns)})
	}
	return d
}

// pick prefers the first words of a list, as real names do.
func pick(r *rand.Rand, words []string) string {
	return words[min(r.IntN(len(words)), r.IntN(len(words)))]
}

func text(t string) []search.Value { return []search.Value{{Text: t}} }

func sampleURNs(r *rand.Rand, n int, prefix string, of int) []search.Value {
	var values []search.Value
	for range n {
		values = append(values, search.Value{Text: fmt.Sprintf("%s%d", prefix, min(r.IntN(of), r.IntN(of)))})
	}
	return values
}

func sentence(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = prose[r.IntN(len(prose))]
	}
	return strings.Join(words, " ")
}
