package searchtest

import (
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

func testTexts(f *fixture) {
	f.put(doc("orders_daily", "description", "What the shop sold each day"), doc("ordersDaily"), doc("shop.orders"), doc("customers", "rows", 7, "kind", "View"),
		doc("reports", "description", "Daily numbers of orders", "props", "owner=annex", "props", "size=aa"))
	for text, want := range map[string][]string{
		"":                                    {"orders_daily", "ordersDaily", "shop.orders", "customers", "reports"},
		"*":                                   {"orders_daily", "ordersDaily", "shop.orders", "customers", "reports"},
		"daily":                               {"orders_daily", "ordersDaily", "reports"},
		"DAILY":                               {"orders_daily", "ordersDaily", "reports"},
		"orders daily":                        {"orders_daily", "ordersDaily", "reports"},
		"orders_daily":                        {"orders_daily", "ordersDaily", "reports"},
		`"orders daily"`:                      {"orders_daily", "ordersDaily"},
		"order":                               {"orders_daily", "ordersDaily", "shop.orders", "reports"},
		"shop":                                {"orders_daily", "shop.orders"},
		"cust*":                               {"customers"},
		"custmers":                            {"customers"},
		"orders -shop":                        {"ordersDaily", "reports"},
		"customers OR reports":                {"customers", "reports"},
		"orders AND NOT daily":                {"shop.orders"},
		"(customers | reports)":               {"customers", "reports"},
		"name:daily":                          {"orders_daily", "ordersDaily"},
		"/q description:da*":                  {"orders_daily", "reports"},
		"/q kind:view":                        {"customers"},
		"/q rows:[5 TO *]":                    {"customers"},
		"/q rows:{7 TO *]":                    {},
		"/q name:*port*":                      {"reports"},
		"/q rows:*":                           {"customers"},
		"/q name: *port*":                     {"reports"},
		"/q name: orders":                     {"orders_daily", "ordersDaily", "shop.orders"},
		"/q _exists_:description":             {"orders_daily", "reports"},
		"/q -_exists_:description":            {"ordersDaily", "shop.orders", "customers"},
		"/q NOT _exists_:rows AND name:cust*": {},
		"/q _exists_:rows OR name:reports":    {"customers", "reports"},
		"/q rows:>=7":                         {"customers"},
		"/q rows:>7 OR rows:<7":               {},
		"/q name:/[Rr]e.{2}rts/":              {"reports"},
		"/q name:/eport/":                     {}, // the expression must match the whole value
		"/q description:/daily.*/ OR name:/shop\\.o.+/": {"reports", "shop.orders"},
		"/q /custom.+|repor.s/":                         {"customers", "reports"},
		"/q kind:/v.*/":                                 {"customers"},
		`/q description: "numbers of orders"`:           {"reports"},
		"/q (name: orders AND daily) OR kind: view":     {"orders_daily", "ordersDaily", "customers"},
		"zebra":        {},
		`"`:            {},
		"orders zebra": {"orders_daily", "ordersDaily", "shop.orders", "reports"}, // relaxed
	} {
		f.finds(fmt.Sprintf("%q", text), search.Query{Text: text}, want...)
	}
}

// testIdentifiers searches for names that differ in short words, numbers and punctuation.
func testIdentifiers(f *fixture) {
	names := []string{"wombat_1", "wombat_2", "wombat_10", "wombat_1_old", "wombat1", "1_wombat", "wombats_1", "on_time_rate", "time_rate", "a_b", "a_c",
		"datahub_schema", "datahub.schema", "datahubSchema", "shop.orders.v1", "shop.orders.v2", "shop.orders.v20", "e-mail", "email", "rev_daily",
		"events_20240101", "events_2023", "order_123", "order_1234", "plan b", "plan c", "x.y.z"}
	docs := make([]*search.Document, 0, len(names))
	for _, name := range names {
		docs = append(docs, doc(name))
	}
	docs = append(docs, doc("described", "description", "Revenue 77 of customers' orders, part b of plan 9, see wombat_3"))
	f.put(docs...)
	for text, want := range map[string][]string{
		"wombat_1":              {"wombat_1", "wombat_1_old", "wombat1"},
		"WOMBAT-1":              {"wombat_1", "wombat_1_old", "wombat1"},
		"wombat_2":              {"wombat_2"},
		"wombat_3":              {"described"},
		"wombat_4":              {}, // and no other wombat
		"wombat_1_old":          {"wombat_1_old"},
		"wombat1":               {"wombat_1", "wombat1"},
		"wombat 10":             {"wombat_10"},
		"wombat 2":              {"wombat_2"},
		"revenue_77":            {"described"}, // and no other asset of revenue
		"revenue_78":            {},
		"revenue 77":            {"described"},
		"plan b":                {"plan b", "described"},
		"plan c":                {"plan c"},
		"on_time_rate":          {"on_time_rate"},
		"on time_rate":          {"on_time_rate", "time_rate"}, // "on" is a stop word
		"a_b":                   {"a_b"},
		"a_c":                   {"a_c"},
		"y.z":                   {"x.y.z"},
		"shop.orders.v2":        {"shop.orders.v2"},
		"orders v2":             {"shop.orders.v2"},
		"e-mail":                {"e-mail", "email"},
		"rev_d":                 {"rev_daily"}, // while the user types
		"events_2024":           {"events_20240101"},
		"order_123":             {"order_123"},
		"order_12":              {},
		"customer's orders":     {"described"},
		"/q wombat_1":           {"wombat_1", "wombat_1_old", "wombat1"},
		"/q name:wombat_1":      {"wombat_1", "wombat_1_old", "wombat1"},
		"wombat_2 OR a_b":       {"wombat_2", "a_b"},
		`"datahub_schema"`:      {"datahub_schema"},
		`"datahub.schema"`:      {"datahub.schema"},
		`"datahub schema"`:      {"datahub_schema", "datahub.schema", "datahubSchema"},
		`"datahubSchema"`:       {"datahubSchema"},
		`"DATAHUB_SCHEMA"`:      {"datahub_schema"},
		`"see wombat_3"`:        {"described"},
		`"see wombat.3"`:        {},
		`"shop.orders"`:         {"shop.orders.v1", "shop.orders.v2", "shop.orders.v20"},
		`name:"datahub_schema"`: {"datahub_schema"},
		string(id("wombat_2")):  {"wombat_2"},
		string(id("wombat_4")):  {},
	} {
		f.finds(fmt.Sprintf("%q", text), search.Query{Text: text}, want...)
	}
}

func testRanking(f *fixture) {
	f.put(doc("orders"), doc("orders_archive"), doc("other", "description", "a list of orders"), doc("all_orders", "deprecated", "true"), doc("big_orders"))
	got := names(f.search(search.Query{Text: "orders"}).Hits)
	if got[0] != "orders" || slices.Index(got, "other") < slices.Index(got, "orders_archive") || slices.Index(got, "all_orders") < slices.Index(got, "big_orders") {
		f.Errorf("the order is %q", got)
	}
}

func testHighlight(f *fixture) {
	f.put(doc("orders", "description", "all of them", "tags", "urn:li:tag:orders", "kind", "Table"))
	r := f.search(search.Query{Text: "order", Highlight: true, HighlightFields: []string{"kind"}})
	matched := map[string]string{}
	for _, m := range r.Hits[0].Matched {
		matched[m.Field] = m.Value
	}
	if matched["name"] != "orders" || matched["tags"] != "urn:li:tag:orders" || matched["kind"] != "Table" || matched["description"] != "" {
		f.Errorf("matched are %v", matched)
	}
	if r := f.search(search.Query{Text: "order"}); len(r.Hits[0].Matched) != 0 {
		f.Error("matches are told to who did not ask")
	}
}

func testCompletion(f *fixture) {
	f.put(doc("orders"), doc("orders_daily"), doc("big orders"), doc("unrelated", "description", "orders"))
	got, err := f.Autocomplete(f.Context(), search.AutocompleteQuery{Types: []string{"dataset"}, Text: "ord", Limit: 10})
	if err != nil {
		f.Fatal(err)
	}
	var texts []string
	for _, c := range got {
		texts = append(texts, c.Text)
	}
	if len(texts) != 3 || texts[2] != "big orders" {
		f.Errorf("ord is completed to %q", texts)
	}
	r := f.search(search.Query{Text: "ordres", Suggest: true, Filter: search.Filter{{{Field: "kind", Values: []string{"none"}}}}})
	if !slices.Contains(r.Suggestions, "orders") {
		f.Errorf("suggestions are %q", r.Suggestions)
	}
	others := search.Filter{{{Field: "urn", Values: []string{string(id("unrelated"))}}}}
	if r := f.search(search.Query{Text: "daliy", Suggest: true, Visible: others}); len(r.Suggestions) > 0 {
		f.Errorf("suggestions of what is not visible are %q", r.Suggestions)
	}
	if r := f.search(search.Query{Text: "ordres", Suggest: true, Visible: others}); !slices.Contains(r.Suggestions, "orders") {
		f.Errorf("suggestions of what is visible are %q", r.Suggestions)
	}
}
