import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const src = path.resolve(import.meta.dirname, "..");

// Colours belong in the theme. Exceptions: the explorer has the colours of its editor, and the developer page
// has tags with user-defined colours.
it("has colours in the theme alone", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.(css|tsx|ts)$/u.test(name) && !/^(theme|explorer|dev)\/|\.test\./u.test(name),
  );
  expect(files.length).toBeGreaterThan(20);
  const found = files.filter((name) => /#[0-9a-f]{3,8}\b|\b(rgb|hsl|oklch)a?\(/iu.test(readFileSync(path.join(src, name), "utf8")));
  expect(found).toEqual([]);
});
