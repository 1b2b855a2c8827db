import DOMPurify from "dompurify";
import { Marked, type Tokens } from "marked";

import { assetPath } from "./asset";
import { address } from "./base";

/** The most characters of a text that are rendered. What follows is shown as it is. */
export const mostRendered = 50_000;

// Quotes and lists within each other are read by recursion, and words by looking ahead from each of their letters: both
// cost the square of their length. Rows of a table are filled up to the width of its head.
const deepest = 20;
const longestWord = 1000;
const mostCells = 20_000;

const tooDeep = new RegExp(String.raw`^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){${deepest + 1}}`, "mu");
const tooLong = new RegExp(String.raw`\S{${longestWord}}(?=\S)`, "gu");

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

// Where a link may lead: to the web, to a mail address, or to an asset by its URN, as mentions of people and assets do.
function targetOf(href: string): { href: string; away: boolean } | null {
  const text = href.trim();
  if (/^https?:\/\//iu.test(text)) {
    return { href: text, away: true };
  }
  if (/^mailto:/iu.test(text)) {
    return { href: text, away: false };
  }
  return /^urn:li:[A-Za-z]\w*:\S+$/u.test(text) ? { href: address(assetPath(text)), away: false } : null;
}

function link(href: string, title: string | null | undefined, inner: string): string {
  const target = targetOf(href);
  const about = title ? ` title="${escaped(title)}"` : "";
  return target ? `<a href="${escaped(target.href)}"${about}${target.away ? ' target="_blank" rel="noopener noreferrer"' : ""}>${inner}</a>` : inner;
}

const marked = new Marked({
  gfm: true,
  async: false,
  renderer: {
    html: ({ text }) => escaped(text),
    heading(token) {
      const level = Math.min(token.depth + 2, 6); // below those of the page
      return `<h${level}>${this.parser.parseInline(token.tokens)}</h${level}>`;
    },
    link(token) {
      return link(token.href, token.title, this.parser.parseInline(token.tokens));
    },
    // A page loads nothing from elsewhere, so pictures are links.
    image: ({ href, title, text }) => link(href, title, escaped(text || "Picture")),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    code: ({ text }) => `<pre tabindex="0" role="region" aria-label="Code"><code>${escaped(text)}</code></pre>`,
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: string) => `<tr>${cells.map((cell) => `<${tag}${cell.align ? ` align="${cell.align}"` : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
      return `<div tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>`;
    },
  },
  tokenizer: {
    // A table that would be too large stays a paragraph.
    table(src) {
      const [head = ""] = src.split("\n", 1);
      const end = src.search(/\n[ \t]*\n/u);
      const rows = (end < 0 ? src : src.slice(0, end)).split("\n").length;
      return head.split("|").length * rows > mostCells ? undefined : false;
    },
  },
});

const allowed = {
  ALLOWED_TAGS: "a blockquote br code del div em h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul".split(" "),
  ALLOWED_ATTR: ["align", "aria-label", "href", "rel", "role", "start", "tabindex", "target", "title"],
  ALLOW_DATA_ATTR: false,
};

/** A text in Markdown as HTML that may stand on a page, and what is left of it to be shown as it is. */
export interface Rendered {
  html: string;
  rest: string;
}

/**
 * Renders Markdown with tables, strikethrough and task lists. HTML in it is text, links lead to the web, to mail and to
 * assets, pictures are links. Of long texts the beginning is rendered, and texts that would cost too much are not.
 */
export function rendered(text: string): Rendered {
  const end = text.length > mostRendered ? text.lastIndexOf("\n", mostRendered) : text.length;
  const first = text.slice(0, end > 0 ? end : mostRendered);
  if (tooDeep.test(first)) {
    return { html: "", rest: text };
  }
  try {
    const html = marked.parse(first.replaceAll(tooLong, "$&\u200B")) as string;
    return { html: DOMPurify.sanitize(html, allowed), rest: text.slice(first.length) };
  } catch {
    return { html: "", rest: text }; // the parser gives up on some texts
  }
}
