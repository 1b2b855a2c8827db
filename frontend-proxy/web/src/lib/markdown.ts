import DOMPurify from "dompurify";
import { Marked, type Tokens } from "marked";

import { assetPath } from "./asset";
import { address } from "./base";

/** The maximum number of characters that are rendered. The rest is shown as plain text. */
export const mostRendered = 50_000;

// Limits against quadratic cost: the parser recurses into nested quotes and lists, looks ahead from each
// letter of a word, and pads table rows to the width of the header.
const deepest = 20;
const longestWord = 1000;
const mostCells = 20_000;

const tooDeep = new RegExp(String.raw`^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){${deepest + 1}}`, "mu");
const tooLong = new RegExp(String.raw`\S{${longestWord}}(?=\S)`, "gu");

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

// The allowed link targets: web addresses, mail addresses, and URNs of assets and users as in mentions.
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
      const level = Math.min(token.depth + 2, 6); // below the headings of the page
      return `<h${level}>${this.parser.parseInline(token.tokens)}</h${level}>`;
    },
    link(token) {
      return link(token.href, token.title, this.parser.parseInline(token.tokens));
    },
    // Pages load no external content, so images become links.
    image: ({ href, title, text }) => link(href, title, escaped(text || "Picture")),
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    code: ({ text }) => `<pre tabindex="0" role="region" aria-label="Code"><code>${escaped(text)}</code></pre>`,
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: string) => `<tr>${cells.map((cell) => `<${tag}${cell.align ? ` align="${cell.align}"` : ""}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
      return `<div tabindex="0" role="region" aria-label="Table"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>`;
    },
  },
  tokenizer: {
    // A table that is too large stays a paragraph.
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

/** Markdown rendered as safe HTML, and the rest of the text, to be shown as plain text. */
export interface Rendered {
  html: string;
  rest: string;
}

/**
 * Renders Markdown with tables, strikethrough and task lists. HTML is escaped. Links lead to web addresses,
 * mail addresses and assets; images become links. Only the beginning of a long text is rendered, and texts
 * that would be too expensive are not rendered at all.
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
    return { html: "", rest: text }; // the parser throws on some texts
  }
}
