import { describe, expect, it } from "vitest";

import { mostRendered, rendered } from "./markdown";

const htmlOf = (text: string) => rendered(text).html.replaceAll("\n", "");

function documentOf(text: string): HTMLElement {
  const element = document.createElement("div");
  element.innerHTML = rendered(text).html;
  return element;
}

describe("Markdown", () => {
  it("becomes headings below those of the page, lists, code and tables", () => {
    expect(htmlOf("# Orders\n\nOne *row* an **order**.")).toBe("<h3>Orders</h3><p>One <em>row</em> an <strong>order</strong>.</p>");
    expect(htmlOf("- [x] done\n- [ ] open")).toContain("☑ ");
    expect(htmlOf("```sql\nselect 1 < 2\n```")).toBe('<pre tabindex="0" role="region" aria-label="Code"><code>select 1 &lt; 2</code></pre>');
    const table = documentOf("| a | b |\n| --- | ---: |\n| 1 | 2 |");
    expect([...table.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["1", "2"]);
    expect(table.querySelectorAll("td")[1]?.getAttribute("align")).toBe("right");
  });

  it("shows HTML as text", () => {
    for (const text of ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b onclick=alert(1)>b</b>", "<svg><a xlink:href='javascript:alert(1)'>", "<style>*{display:none}</style>", "<iframe src=/></iframe>", "<!-- comment -->"]) {
      const element = documentOf(text);
      expect(element.querySelectorAll("script, img, b, svg, style, iframe")).toHaveLength(0);
      expect(element.textContent.trim()).toBe(text);
    }
  });

  it("leads to the web, to mail and to assets, and nowhere else", () => {
    const hrefs = (text: string) => [...documentOf(text).querySelectorAll("a")].map((each) => each.getAttribute("href"));
    expect(hrefs("[a](https://docs.example/x) [b](mailto:b@example.org) <http://c.example>")).toEqual(["https://docs.example/x", "mailto:b@example.org", "http://c.example"]);
    expect(hrefs("[@Ilse](urn:li:corpuser:ilse)")).toEqual(["/user/urn%3Ali%3Acorpuser%3Ailse"]);
    for (const href of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "&#106;avascript:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example", "/local", "file:///etc", "blob:x", "urn:li:corpuser:a b", "java\tscript:alert(1)"]) {
      expect([href, ...hrefs(`[text](<${href}>)`)]).toEqual([href]);
    }
    expect(hrefs('[a](https://x.example "\\" onmouseover=alert(1) x=\\"")')).toEqual(["https://x.example"]);
    expect(documentOf('[a](https://x.example "\\" onmouseover=alert(1) x=\\"")').querySelector("[onmouseover]")).toBeNull();
  });

  it("opens what is elsewhere without telling from where", () => {
    const [out, inside] = documentOf("[a](https://x.example) [b](urn:li:tag:b)").querySelectorAll("a");
    expect([out?.rel, out?.target]).toEqual(["noopener noreferrer", "_blank"]);
    expect(inside?.hasAttribute("target")).toBe(false);
  });

  it("links pictures instead of loading them", () => {
    const element = documentOf("![The flow](https://x.example/a.png) ![](data:image/png;base64,x)");
    expect(element.querySelectorAll("img")).toHaveLength(0);
    expect(element.querySelector("a")?.textContent).toBe("The flow");
    expect(element.textContent).toContain("Picture");
  });

  it("leaves what is nested without end as it is", () => {
    for (const text of [">".repeat(5000), "> - ".repeat(5000), "1. ".repeat(3000)]) {
      expect(rendered(text)).toEqual({ html: "", rest: text });
    }
    expect(htmlOf(`${"> ".repeat(5)}five`)).toContain("five");
  });

  it("leaves a table as text that would grow to millions of cells", () => {
    const columns = 3000;
    const text = `|${"a|".repeat(columns)}\n|${"-|".repeat(columns)}\n${"|x\n".repeat(2000)}`;
    expect(documentOf(text).querySelectorAll("td, th")).toHaveLength(0);
  });

  it("breaks words that are longer than a page, which cost the square of their length", () => {
    expect(documentOf(`${"a.".repeat(20_000)}@`).textContent.match(/\u200B/gu)?.length).toBe(40);
  });

  it("renders the beginning of a long text up to the end of a line", () => {
    const line = `${"word ".repeat(19)}end\n`;
    const text = line.repeat(1000);
    const { html, rest } = rendered(text);
    expect(rest.startsWith("\nword")).toBe(true);
    expect(html).toContain("end");
    expect(text.length - rest.length).toBeLessThanOrEqual(mostRendered);
    expect(rendered("x".repeat(mostRendered + 10)).rest).toHaveLength(10);
  });

  it("gives nothing for nothing", () => expect(rendered("")).toEqual({ html: "", rest: "" }));
});
