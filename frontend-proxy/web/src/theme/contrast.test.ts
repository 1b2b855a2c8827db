import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const source = readFileSync(path.join(import.meta.dirname, "tokens.css"), "utf8");
const [light = "", dark = ""] = source.split(':root[data-mantine-color-scheme="dark"]');
const read = (part: string) => Object.fromEntries([...part.matchAll(/--c-([\w-]+):\s*(#[0-9a-f]{6})/gu)].map(([, name, value]) => [name, value]));
const schemes = { light: read(light), dark: { ...read(light), ...read(dark) } };

// Relative luminance as defined in WCAG 2.2.
const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string) => {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};

const surfaces = ["canvas", "sheet", "sunk", "hover"];
const pairs: [string, string, number][] = [
  ...["ink", "ink-2", "ink-3", "accent", "ok", "warn", "bad", "info", "report"].flatMap((text) => surfaces.map((on): [string, string, number] => [text, on, 4.5])),
  ...["ok", "warn", "bad", "info"].map((tone): [string, string, number] => [tone, `${tone}-soft`, 4.5]),
  ["accent", "accent-soft", 4.5],
  ["ink-3", "accent-soft", 4.5],
  ["on-accent", "accent", 4.5],
  ["on-accent", "accent-hover", 4.5],
  ["on-bad", "bad", 4.5],
  ["ink", "mark", 4.5],
  ["sheet", "ink", 4.5],
  ...surfaces.slice(0, -1).map((on): [string, string, number] => ["line-3", on, 3]), // no field is on the hover surface
];

describe.each(Object.entries(schemes))("in the %s scheme", (_, colours) => {
  it.each(pairs)("%s on %s has a contrast of %d", (text, on, least) => {
    expect(contrast(colours[text] ?? "", colours[on] ?? "")).toBeGreaterThanOrEqual(least);
  });
});
