package rest

import (
	"net/url"
	"strings"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

// maxItems bounds the items in all lists of one parameter together.
const maxItems = 1000

// listParam reads a list from the query: List(a,b), one value, or the repeated parameter. Items
// are decoded. The result for an absent parameter is nil.
//
// It must parse the query before decoding it: commas inside an item are encoded, commas of the
// list are not.
func listParam(rawQuery, name string) ([]string, error) {
	var items []string
	for rest := rawQuery; rest != ""; {
		var pair string
		pair, rest, _ = strings.Cut(rest, "&")
		key, raw, _ := strings.Cut(pair, "=")
		if decoded, err := url.QueryUnescape(key); err != nil || decoded != name {
			continue
		}
		more, err := parseList(raw)
		if err != nil {
			return nil, fault.Wrap(err, fault.Malformed, "query parameter %s: %s", name, fault.Message(err))
		}
		if items = append(items, more...); len(items) > maxItems {
			return nil, fault.New(fault.TooLarge, "query parameter %s has more than %d items; split the request", name, maxItems)
		}
	}
	return items, nil
}

// requiredList is listParam for parameters that must have an item.
func requiredList(rawQuery, name string) ([]string, error) {
	items, err := listParam(rawQuery, name)
	if err == nil && len(items) == 0 {
		err = fault.New(fault.Malformed, "query parameter %s is required, as in %s=List(a,b)", name, name)
	}
	return items, err
}

const (
	listOpen        = "List("
	listOpenEncoded = "list%28"
)

// parseList splits a raw value into its items. Some clients encode the list as a whole, including
// its own parentheses and commas. Items of such a list that are plain after one decoding must not
// be decoded again, or URNs that contain percent-encoded text would change.
func parseList(raw string) ([]string, error) {
	decode := unescape
	if len(raw) >= len(listOpenEncoded) && strings.EqualFold(raw[:len(listOpenEncoded)], listOpenEncoded) {
		whole, err := unescape(raw)
		if err != nil {
			return nil, err
		}
		raw, decode = whole, unescapeIfEncoded
	}
	inner, isList := strings.CutPrefix(raw, listOpen)
	if !isList {
		if raw == "" {
			return nil, nil
		}
		return decodeAll([]string{raw}, decode)
	}
	inner, isClosed := strings.CutSuffix(inner, ")")
	if !isClosed {
		return nil, fault.New(fault.Malformed, "the list is not closed; write List(a,b) with the commas and parentheses inside an item encoded")
	}
	if inner == "" {
		return nil, nil
	}
	items, err := splitItems(inner)
	if err != nil {
		return nil, err
	}
	return decodeAll(items, decode)
}

// splitItems splits at commas outside of parentheses, so that raw URNs remain whole.
func splitItems(text string) ([]string, error) {
	var items []string
	depth, start := 0, 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == ',' && depth == 0:
			if i == start {
				return nil, fault.New(fault.Malformed, "item %d of the list is empty", len(items)+1)
			}
			items = append(items, text[start:i])
			start = i + 1
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		}
		if depth < 0 {
			break
		}
	}
	if depth != 0 {
		return nil, fault.New(fault.Malformed, "the parentheses of the list do not balance")
	}
	return items, nil
}

func decodeAll(items []string, decode func(string) (string, error)) ([]string, error) {
	for i, item := range items {
		text, err := decode(item)
		if err != nil {
			return nil, err
		}
		items[i] = text
	}
	return items, nil
}

// unescape decodes percent-encoding. It does not change plus signs, which are ordinary characters
// in this protocol.
func unescape(text string) (string, error) {
	plain, err := url.PathUnescape(text)
	if err != nil {
		return "", fault.Wrap(err, fault.Malformed, "not well percent-encoded")
	}
	if !utf8json.Valid(plain) { // in lists that are encoded as a whole and again item by item
		return "", fault.New(fault.Malformed, "%q is not valid UTF-8", truncate(plain))
	}
	return plain, nil
}

func unescapeIfEncoded(text string) (string, error) {
	if strings.Contains(text, ":") {
		return text, nil
	}
	return unescape(text)
}
