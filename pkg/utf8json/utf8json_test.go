package utf8json_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/cartulary/cartulary/pkg/fault"
	"github.com/cartulary/cartulary/pkg/utf8json"
)

var texts = []struct {
	name, text string
	offset     int64 // of the error, -1 for none
}{
	{"nothing", ``, -1},
	{"plain text", `{"urn":"urn:li:tag:pii"}`, -1},
	{"characters of two, three and four bytes", `{"a":"é€😀"}`, -1},
	{"U+FFFD that was sent as such", "\"\ufffd\"", -1},
	{"U+FFFD that was sent as an escape", `"\ufffd"`, -1},
	{"a pair of surrogates", `"\ud83d\uDE00"`, -1},
	{"escapes of other kinds", `"\"\\\/\b\f\n\r\t\u0000\u00e9"`, -1},
	{"a nested text with half a pair, for its own decoder", `"{\"a\":\"\\ud800\"}"`, -1},
	{"a backslash in front of a pair", `"\\\ud83d\ude00"`, -1},
	{"an escape that is cut off", `"\u00`, -1},
	{"an escape that is none", `"\u00zz\x"`, -1},
	{"a backslash at the end", `"\`, -1},

	{"a byte that begins nothing", "\"ab\xff\"", 3},
	{"a continuation without a beginning", "\"\x80\"", 1},
	{"a character that is cut off by text", "{\"urn\":\"caf\xc3\"}", 11},
	{"a character that is cut off by the end", "\"\xe2\x82", 1},
	{"ASCII in too many bytes", "\"\xc0\xaf\"", 1},
	{"a surrogate in UTF-8", "\"\xed\xa0\x80\"", 1},
	{"a character beyond Unicode", "\"\xf4\x90\x80\x80\"", 1},
	{"a byte behind a long plain text", strings.Repeat("x", 1000) + "\xff", 1000},
	{"a bad byte behind a backslash", "\"\\\xff\"", 2},
	{"the first half alone", `"a\ud800b"`, 2},
	{"the first half at the end of the string", `"\uD83D"`, 1},
	{"the first half at the end of the text", `"\ud83d`, 1},
	{"the first half and a cut off escape", `"\ud83d\ude0`, 1},
	{"the second half alone", `"\ude00x"`, 1},
	{"two first halves", `"\ud83d\ud83d\ude00"`, 1},
	{"halves in the wrong order", `"\ude00\ud83d"`, 1},
	{"the first half and another escape", `"\ud83d\n"`, 1},
	{"the first half behind two backslashes", `"\\\ud800"`, 3},
	{"half a pair in the name of a member", `{"\udfff":1}`, 2},
}

func TestTextsThatAreNotWellFormedAreRefusedWhereTheyGoWrong(t *testing.T) {
	t.Parallel()
	for _, tt := range texts {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			expect(t, utf8json.Check([]byte(tt.text)), tt.offset)
			for name, source := range map[string]io.Reader{
				"at once": strings.NewReader(tt.text), "byte by byte": iotest.OneByteReader(strings.NewReader(tt.text)),
				"with the end": iotest.DataErrReader(strings.NewReader(tt.text)), "in halves": iotest.HalfReader(strings.NewReader(tt.text)),
			} {
				got, err := io.ReadAll(utf8json.NewReader(source))
				expect(t, err, tt.offset)
				if tt.offset < 0 && string(got) != tt.text {
					t.Errorf("%s: read %q", name, got)
				}
			}
		})
	}
}

func expect(t *testing.T, err error, offset int64) {
	t.Helper()
	var bad *utf8json.Error
	switch {
	case offset < 0 && err != nil:
		t.Errorf("refused: %v", err)
	case offset >= 0 && (!errors.As(err, &bad) || bad.Offset != offset || fault.KindOf(err) != fault.Malformed || !errors.Is(err, fault.Malformed)):
		t.Errorf("got %v, want a mistake at byte %d", err, offset)
	}
}

// TestADecoderBehindTheReaderSeesNoReplacedCharacter decodes values one by one, like bodies of many
// entities.
func TestADecoderBehindTheReaderSeesNoReplacedCharacter(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`"ok" "\ud800"`, "\"ok\" \"caf\xc3\"", "\"ok\" \"\xff\""} {
		d := json.NewDecoder(utf8json.NewReader(iotest.OneByteReader(strings.NewReader(text))))
		var s string
		if err := d.Decode(&s); err != nil || s != "ok" {
			t.Fatalf("%q: the first value is %q, %v", text, s, err)
		}
		var bad *utf8json.Error
		if err := d.Decode(&s); !errors.As(err, &bad) {
			t.Errorf("%q: decoded %q, %v", text, s, err)
		}
	}
}

func TestAnErrorOfTheSourceStays(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken pipe")
	r := utf8json.NewReader(io.MultiReader(strings.NewReader("\"\xe2"), iotest.ErrReader(broken)))
	if _, err := io.ReadAll(r); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// FuzzCheck compares Check, the reader with an arbitrarily split text, and the result of
// encoding/json.
func FuzzCheck(f *testing.F) {
	for _, tt := range texts {
		f.Add([]byte(tt.text), 1)
	}
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		whole := utf8json.Check(text)
		read, err := io.ReadAll(utf8json.NewReader(&pieces{bytes.NewReader(text), max(1, size%64)}))
		if (whole == nil) != (err == nil) || whole != nil && whole.Error() != err.Error() {
			t.Fatalf("%q: as a whole %v, in pieces of %d %v", text, whole, size, err)
		}
		if err == nil && !bytes.Equal(read, text) {
			t.Fatalf("%q: read %q", text, read)
		}
		var v string
		if whole != nil || json.Unmarshal(text, &v) != nil {
			return
		}
		sent := bytes.Count(text, []byte("\ufffd")) + bytes.Count(bytes.ToLower(text), []byte(`\ufffd`))
		if !utf8.Valid(text) || strings.Count(v, "\ufffd") > sent {
			t.Errorf("%q passes and is decoded to %q", text, v)
		}
	})
}

type pieces struct {
	from io.Reader
	size int
}

func (p *pieces) Read(b []byte) (int, error) { return p.from.Read(b[:min(len(b), p.size)]) }

func BenchmarkCheck(b *testing.B) {
	aspect := `{"proposal":{"entityUrn":"urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)","aspect":{"value":"{\"description\":\"Orders of the shop, one row each\",\"tags\":[\"a\",\"b\"]}"}}},`
	for name, text := range map[string]string{"nested": aspect, "plain": strings.ReplaceAll(aspect, `\"`, `'`), "accents": strings.ReplaceAll(aspect, "o", "ö")} {
		body := []byte(strings.Repeat(text, 5000))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if err := utf8json.Check(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
