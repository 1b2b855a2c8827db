package httpserver_test

import (
	"net/http"
	"testing"

	"github.com/cartulary/cartulary/pkg/httpserver"
)

func TestTheClientIsTheLastAddressThatNoKnownProxyHas(t *testing.T) {
	t.Parallel()
	known := []string{"10.0.0.0/8", "2001:db8:ffff::/48"}
	for _, test := range []struct {
		name     string
		networks []string
		peer     string
		lines    []string
		want     string
	}{
		{"no network is named", nil, "10.0.0.1:99", []string{"192.0.2.7"}, "10.0.0.1"},
		{"a peer by IPv6 with a zone", nil, "[fe80::1%eth0]:99", nil, "fe80::1"},
		{"a mapped peer", nil, "[::ffff:192.0.2.9]:99", nil, "192.0.2.9"},
		{"a stranger", known, "192.0.2.9:99", []string{"192.0.2.7"}, "192.0.2.9"},
		{"nothing is said", known, "10.0.0.1:99", nil, "10.0.0.1"},
		{"an address", known, "10.0.0.1:99", []string{"192.0.2.7"}, "192.0.2.7"},
		{"a mapped proxy", known, "[::ffff:10.0.0.1]:99", []string{"192.0.2.7"}, "192.0.2.7"},
		{"a network that is named as mapped", []string{"::ffff:10.0.0.0/104"}, "10.0.0.1:99", []string{"192.0.2.7"}, "192.0.2.7"},
		{"a port", known, "10.0.0.1:99", []string{"192.0.2.7:4711"}, "192.0.2.7"},
		{"another port", known, "10.0.0.1:99", []string{"192.0.2.7:4712"}, "192.0.2.7"},
		{"brackets", known, "10.0.0.1:99", []string{"[2001:db8::5]"}, "2001:db8::5"},
		{"brackets and a port", known, "10.0.0.1:99", []string{"[2001:db8::5]:443"}, "2001:db8::5"},
		{"a zone", known, "10.0.0.1:99", []string{"fe80::1%eth0"}, "fe80::1"},
		{"a mapped client", known, "10.0.0.1:99", []string{"::ffff:192.0.2.7"}, "192.0.2.7"},
		{"proxies with ports in between", known, "[2001:db8:ffff::1]:99", []string{"192.0.2.7:1, 10.0.0.2:2", "[2001:db8:ffff::2]:3"}, "192.0.2.7"},
		{"what a client claims", known, "10.0.0.1:99", []string{"203.0.113.9, 192.0.2.7"}, "192.0.2.7"},
		{"rubbish of a client", known, "10.0.0.1:99", []string{"rubbish, 192.0.2.7"}, "192.0.2.7"},
		{"rubbish of a proxy", known, "10.0.0.1:99", []string{"192.0.2.7, unknown"}, "10.0.0.1"},
		{"rubbish before a proxy", known, "10.0.0.1:99", []string{"192.0.2.7:x, 10.0.0.2"}, "10.0.0.1"},
		{"proxies alone", known, "10.0.0.1:99", []string{"10.0.0.3, 10.0.0.2:5"}, "10.0.0.3"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			extract, err := httpserver.ClientAddress(test.networks)
			if err != nil {
				t.Fatal(err)
			}
			if got := extract(&http.Request{RemoteAddr: test.peer, Header: http.Header{"X-Forwarded-For": test.lines}}); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestNetworksOfProxiesMustBeNetworks(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"10.0.0.1", "proxy", "", "::ffff:10.0.0.0/90"} {
		if _, err := httpserver.ClientAddress([]string{text}); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
