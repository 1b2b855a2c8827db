package searchtest

import (
	"fmt"
	"slices"

	"github.com/cartulary/cartulary/metadata-service/internal/search"
)

func testTexts(f *fixture) {
	f.put(doc("orders_daily", "description", "What the shop sold each day"), doc("ordersDaily"), doc("shop.orders"), doc("customers", "rows", 7, "kind", "View"),
		doc("reports", "description", "Daily numbers of orders"))
	for text, want := range map[string][]string{
		"":                      {"orders_daily", "ordersDaily", "shop.orders", "customers", "reports"},
		"*":                     {"orders_daily", "ordersDaily", "shop.orders", "customers", "reports"},
		"daily":                 {"orders_daily", "ordersDaily", "reports"},
		"DAILY":                 {"orders_daily", "ordersDaily", "reports"},
		"orders daily":          {"orders_daily", "ordersDaily", "reports"},
		"orders_daily":          {"orders_daily", "ordersDaily", "reports"},
		`"orders daily"`:        {"orders_daily", "ordersDaily"},
		"order":                 {"orders_daily", "ordersDaily", "shop.orders", "reports"},
		"shop":                  {"orders_daily", "shop.orders"},
		"cust*":                 {"customers"},
		"custmers":              {"customers"},
		"orders -shop":          {"ordersDaily", "reports"},
		"customers OR reports":  {"customers", "reports"},
		"orders AND NOT daily":  {"shop.orders"},
		"(customers | reports)": {"customers", "reports"},
		"name:daily":            {"orders_daily", "ordersDaily"},
		"/q description:da*":    {"orders_daily", "reports"},
		"/q kind:view":          {"customers"},
		"/q rows:[5 TO *]":      {"customers"},
		"/q rows:{7 TO *]":      {},
		"/q name:*port*":        {"reports"},
		"/q rows:*":             {"customers"},
		"zebra":                 {},
		`"`:                     {},
		"orders zebra":          {"orders_daily", "ordersDaily", "shop.orders", "reports"}, // relaxed
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
