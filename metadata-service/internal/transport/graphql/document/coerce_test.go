package document_test

import (
	"encoding/json"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/cartulary/cartulary/metadata-service/internal/transport/graphql/document"
)

func TestVariablesAreCoercedLeniently(t *testing.T) {
	t.Parallel()
	stage, lib := newStage(t), newLibrary(t)
	for _, c := range []struct{ name, text, vars, want string }{
		{"a number for text", `query($v:String){r:text(s:$v)}`, `{"v":12.50}`, `"12.50"`},
		{"a boolean for text", `query($v:String){r:text(s:$v)}`, `{"v":true}`, `"true"`},
		{"text that needs escapes", `query($v:String){r:text(s:$v)}`, `{"v":"a\"b\\c\n\u0000é😀"}`, `"a\"b\\c\n\u0000é😀"`},
		{"text for Int", `query($v:Int){r:int(n:$v)}`, `{"v":" 7 "}`, `7`},
		{"a whole decimal for Int", `query($v:Int){r:int(n:$v)}`, `{"v":7.0}`, `7`},
		{"an exponent for Int", `query($v:Int){r:int(n:$v)}`, `{"v":1e3}`, `1000`},
		{"a Long beyond the digits of a float", `query($v:Long){r:long(n:$v)}`, `{"v":9007199254740993}`, `9007199254740993`},
		{"text for Long", `query($v:Long){r:long(n:$v)}`, `{"v":"-9223372036854775808"}`, `-9223372036854775808`},
		{"text for Float", `query($v:Float){r:float(f:$v)}`, `{"v":"2.5"}`, `2.5`},
		{"a whole number for Float", `query($v:Float){r:float(f:$v)}`, `{"v":3}`, `3`},
		{"text for Boolean", `query($v:Boolean){r:bool(b:$v)}`, `{"v":"True"}`, `true`},
		{"one value for a list", `query($v:[String!]){r:texts(l:$v)}`, `{"v":"a"}`, `["a"]`},
		{"a list", `query($v:[String!]){r:texts(l:$v)}`, `{"v":["a",1]}`, `["a","1"]`},
		{"null for a list", `query($v:[String!]){r:texts(l:$v)}`, `{"v":null}`, `null`},
		{"an enum", `query($v:Color){r:color(c:$v)}`, `{"v":"RED"}`, `"RED"`},
		{"an omitted variable where the schema has a default", `query($v:Int){r:int(n:$v)}`, ``, `25`},
		{"null where the schema has a default", `query($v:Int){r:int(n:$v)}`, `{"v":null}`, `25`},
		{"a nullable variable for a non-null argument with default", `query($v:Int){r:needed(n:$v)}`, `{}`, `7`},
		{"an omitted variable without any default", `query($v:String){r:text(s:$v)}`, `null`, `null`},
		{"the default of a variable", `query($v:Int=4){r:int(n:$v)}`, ``, `4`},
		{"the default of a non-null variable", `query($v:Int!=4){r:needed(n:$v)}`, ``, `4`},
		{"a value over the default of a non-null variable", `query($v:Int!=4){r:needed(n:$v)}`, `{"v":5}`, `5`},
		{"a lenient default of a variable", `query($v:Int="4"){r:int(n:$v)}`, ``, `4`},
		{"a number in a text literal", `{r:text(s:5)}`, ``, `"5"`},
		{"text in an Int literal", `{r:int(n:"5")}`, ``, `5`},
		{"a null literal where the schema has a default", `{r:int(n:null)}`, ``, `25`},
		{"a null literal", `{r:text(s:null)}`, ``, `null`},
		{"a Long literal beyond the digits of a float", `{r:long(n:9007199254740993)}`, ``, `9007199254740993`},
		{"a negative literal", `{r:int(n:-5)}`, ``, `-5`},
		{"one literal for a list", `{r:texts(l:"a")}`, ``, `["a"]`},
		{"a variable within a list", `query($v:String!){r:texts(l:["a",$v])}`, `{"v":1}`, `["a","1"]`},
		{"a quoted enum literal", `{r:color(c:"RED")}`, ``, `"RED"`},
		{"a block string", "{r:text(s:\"\"\"\n  a\n    \"b\"\n\"\"\")}", ``, `"a\n  \"b\""`},
		{"escapes in a literal", `{r:text(s:"\u00e9\"\\\t")}`, ``, `"é\"\\\t"`},
		{"a Float literal without fraction", `{r:float(f:3)}`, ``, `3`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := execute(t, lib, mustCompile(t, stage, c.text), c.vars)
			if len(data.Errors) > 0 {
				t.Fatalf("library: %v", data.Errors)
			}
			want := `{"r":` + c.want + `}`
			if string(data.Data) != want && !sameJSON(t, string(data.Data), want) {
				t.Errorf("got %s, want %s", data.Data, want)
			}
		})
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	decode := func(text string) (v any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return v
	}
	return reflect.DeepEqual(decode(a), decode(b))
}

func TestInputObjectsAreComplete(t *testing.T) {
	t.Parallel()
	stage, lib := newStage(t), newLibrary(t)
	for _, c := range []struct{ name, text, vars, want string }{
		{
			"defaults at every level", `query($v:Search!){search(in:$v)}`, `{"v":{"text":1}}`,
			`{"Text":"1","Range":{"Start":5,"Count":10},"Since":null,"Tags":null,"Color":null,"Weight":null,"Exact":null,"ID":null}`,
		},
		{
			"every kind of field", `query($v:Search!){search(in:$v)}`,
			`{"v":{"text":"t","range":{"start":"1","count":2},"since":"9007199254740993","tags":"x","color":"GREEN","weight":1,"exact":"false","id":4}}`,
			`{"Text":"t","Range":{"Start":1,"Count":2},"Since":9007199254740993,"Tags":["x"],"Color":"GREEN","Weight":1,"Exact":false,"ID":"4"}`,
		},
		{
			"an object literal with variables, one of them omitted",
			`query($t:String!,$s:Int,$l:Long){search(in:{text:$t,range:{start:$s,count:3},since:$l})}`, `{"t":"q"}`,
			`{"Text":"q","Range":{"Start":0,"Count":3},"Since":null,"Tags":null,"Color":null,"Weight":null,"Exact":null,"ID":null}`,
		},
		{
			"a lenient object literal", `{search(in:{text:7,range:{count:"3"},tags:["a",true],exact:"true"})}`, ``,
			`{"Text":"7","Range":{"Start":0,"Count":3},"Since":null,"Tags":["a","true"],"Color":null,"Weight":null,"Exact":true,"ID":null}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := dataOf(t, execute(t, lib, mustCompile(t, stage, c.text), c.vars))
			if got := data["search"].(string); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestBadVariablesAreNamed(t *testing.T) {
	t.Parallel()
	stage := newStage(t)
	for _, c := range []struct{ name, text, vars, want string }{
		{"a missing variable", `query($v:String!){both(a:$v)}`, `{}`, "Variable 'v' has an invalid value: it must not be null, its type is 'String!'"},
		{"null for a non-null variable", `query($v:String!){both(a:$v)}`, `{"v":null}`, "Variable 'v' has an invalid value: it must not be null, its type is 'String!'"},
		{"null over a default in a non-null place", `query($v:String="x"){both(a:$v)}`, `{"v":null}`, "Variable 'v' has an invalid value: it must not be null, its type is 'String!'"},
		{"null within a list", `query($v:[String!]){texts(l:$v)}`, `{"v":["a",null]}`, "Variable 'v' has an invalid value: it: '[1]' must not be null, its type is 'String!'"},
		{"words for Int", `query($v:Int){int(n:$v)}`, `{"v":"five"}`, "it is not a valid 'Int' - expected a whole number of 32 bits but it was the text 'five'"},
		{"too large for Int", `query($v:Int){int(n:$v)}`, `{"v":2147483648}`, "it is not a valid 'Int' - expected a whole number of 32 bits but it was the number 2147483648"},
		{"a fraction for Int", `query($v:Int){int(n:$v)}`, `{"v":1.5}`, "it is not a valid 'Int'"},
		{"a boolean for Int", `query($v:Int){int(n:$v)}`, `{"v":true}`, "it is not a valid 'Int'"},
		{"too large for Long", `query($v:Long){long(n:$v)}`, `{"v":9223372036854775808}`, "it is not a valid 'Long'"},
		{"an endless exponent", `query($v:Long){long(n:$v)}`, `{"v":1e999999999}`, "it is not a valid 'Long'"},
		{"infinity for Float", `query($v:Float){float(f:$v)}`, `{"v":"Inf"}`, "it is not a valid 'Float'"},
		{"an object for text", `query($v:String){text(s:$v)}`, `{"v":{}}`, "it is not a valid 'String' - expected text but it was an object"},
		{"no member of an enum", `query($v:Color){color(c:$v)}`, `{"v":"BLUE"}`, "it is not a valid 'Color' - there is no value 'BLUE'"},
		{"an unknown field", `query($v:Search!){search(in:$v)}`, `{"v":{"text":"a","range":{"end":1}}}`, "it: 'range' contains a field not in 'Range': 'end'"},
		{"a missing field", `query($v:Search!){search(in:$v)}`, `{"v":{}}`, "it is missing required fields '[text]'"},
		{"text for an object", `query($v:Search!){search(in:$v)}`, `{"v":"x"}`, "it is not a valid 'Search' - expected an object but it was the text 'x'"},
		{"a variable nobody declared", `query($v:Int){int(n:$v)}`, `{"w":1}`, "Variable 'w' has an invalid value: the operation does not declare it"},
		{"a list in place of the variables", `query($v:Int){int(n:$v)}`, `[1]`, "Variables are not a JSON object; send"},
		{"two values", `query($v:Int){int(n:$v)}`, `{} {}`, "Variables are not a JSON object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, errs := mustCompile(t, stage, c.text).Variables(json.RawMessage(c.vars))
			if len(errs) == 0 {
				t.Fatal("accepted")
			}
			if !strings.Contains(errs[0].Message, c.want) || errs[0].Classification != document.ValidationError {
				t.Errorf("got %q (%s), want %q", errs[0].Message, errs[0].Classification, c.want)
			}
		})
	}
}

func TestUndeclaredVariablesCanBeIgnored(t *testing.T) {
	t.Parallel()
	stage := newStage(t, func(c *document.Config) { c.IgnoreUnknownVariables = true })
	values, errs := mustCompile(t, stage, `query($v:Int){int(n:$v)}`).Variables(json.RawMessage(`{"v":1,"w":2}`))
	if errs != nil || !reflect.DeepEqual(values, map[string]any{"v": int32(1)}) {
		t.Errorf("got %v, %v", values, errs)
	}
}

// TestVariablesAreBoundedBeforeTheyAreDecoded sends texts that are small but would be large in
// memory.
func TestVariablesAreBoundedBeforeTheyAreDecoded(t *testing.T) {
	t.Parallel()
	stage := newStage(t, func(c *document.Config) {
		c.MaxVariableBytes, c.MaxVariableValues, c.IgnoreUnknownVariables = 10_000, 1000, true
	})
	d := mustCompile(t, stage, `query($v:Int $w:Int){a:int(n:$v) b:int(n:$w)}`)
	list := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("0,", n), ",") + "]" }
	for _, c := range []struct{ name, variables, want string }{
		{"too much text", `{"v":1,"x":"` + strings.Repeat("x", 10_000) + `"}`, "maximum query variables length exceeded 10014 > 10000"},
		{"too many values", `{"v":` + list(1000) + `}`, "maximum query variable values exceeded 1001 > 1000"},
		{"too many values together", `{"v":` + list(600) + `,"w":` + list(600) + `}`, "maximum query variable values exceeded 1202 > 1000"},
		{"too deep", `{"v":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, "Variables cannot be read: nested deeper than 200 levels"},
		{"many values that nobody declared", `{"v":1,"x":` + list(4000) + `}`, ""},
		{"nested values that nobody declared", `{"v":1,"x":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`, ""},
	} {
		_, errs := d.Variables(json.RawMessage(c.variables))
		if got := errs.Error(); !strings.HasPrefix(got, c.want) || (c.want == "") != (errs == nil) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestVariablesThatNobodyDeclaredAreNotDecoded measures the memory of decoding. In an earlier
// version a request of two MiB took fifty times as much.
func TestVariablesThatNobodyDeclaredAreNotDecoded(t *testing.T) {
	d := mustCompile(t, newStage(t, func(c *document.Config) { c.IgnoreUnknownVariables = true }), `query($v:Int){int(n:$v)}`)
	variables := json.RawMessage(`{"v":1,"x":[` + strings.TrimSuffix(strings.Repeat(`{"a":[1]},`, 200_000), ",") + `]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, errs := d.Variables(variables); errs != nil {
		t.Fatal(errs)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 1<<20 {
		t.Errorf("took %d KiB for %d KiB of text", taken>>10, len(variables)>>10)
	}
}
