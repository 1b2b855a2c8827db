package forwarded_test

import (
	"net/netip"
	"testing"

	"github.com/cartulary/cartulary/pkg/forwarded"
)

// spellings are texts, each with the normalized address; empty for texts without an address.
var spellings = map[string]string{
	"192.0.2.7": "192.0.2.7", " 192.0.2.7\t": "192.0.2.7", "192.0.2.7:4711": "192.0.2.7", "[192.0.2.7]:80": "192.0.2.7",
	"::ffff:192.0.2.7": "192.0.2.7", "::ffff:c000:207": "192.0.2.7", "[::ffff:192.0.2.7]:80": "192.0.2.7", "::ffff:192.0.2.7%eth0": "192.0.2.7",
	"2001:db8::5": "2001:db8::5", "2001:DB8:0:0::5": "2001:db8::5", "[2001:db8::5]": "2001:db8::5", "[2001:db8::5]:443": "2001:db8::5",
	"fe80::1%eth0": "fe80::1", "[fe80::1%eth0]:443": "fe80::1", "[fe80::1%25eth0]": "fe80::1",
	"": "", "unknown": "", "_hidden": "", "192.0.2": "", "192.0.2.7:": "", "192.0.2.7:x": "", "192.0.2.7:65536": "", "192.0.2.7:80:80": "",
	"[2001:db8::5": "", "2001:db8::5]": "", "[2001:db8::5]443": "", "[]": "", "[]:80": "", "192.0.2.007": "", "192.0.2.7 8": "", `"192.0.2.7"`: "",
}

func TestAddressesAreParsedInEverySpelling(t *testing.T) {
	t.Parallel()
	for text, want := range spellings {
		got, ok := forwarded.ParseAddress(text)
		if ok != (want != "") || ok && got.String() != want {
			t.Errorf("%q: got %v, %v, want %q", text, got, ok, want)
		}
	}
}

func FuzzParseAddress(f *testing.F) {
	for text := range spellings {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		addr, ok := forwarded.ParseAddress(text)
		if !ok {
			return
		}
		if again, ok := forwarded.ParseAddress(addr.String()); !ok || again != addr || addr.Is4In6() || addr.Zone() != "" {
			t.Errorf("%q: %v becomes %v, %v", text, addr, again, ok)
		}
		if port, ok := forwarded.ParseAddress(netip.AddrPortFrom(addr, 443).String()); !ok || port != addr {
			t.Errorf("%q: with a port it is %v, %v", text, port, ok)
		}
	})
}
