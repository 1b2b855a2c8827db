import { expect, it } from "vitest";

import { localPath, withoutBase } from "./local-path";

it("leads to a path of this server and nowhere else", () => {
  for (const good of ["/", "/settings/tokens", "/dataset/urn%3Ali%3Adataset%3A(a)/Schema?x=1#y", "/search?query=//a", "/search?query=/../a", "/a..b/..."]) {
    expect(localPath(good)).toBe(good);
  }
  for (const bad of [null, "", "//evil.example", "/\\evil.example", "\\\\evil", "https://evil.example", "javascript:alert(1)", "/\t/evil", "/\n/evil", "evil", " /x", "/../evil", "/a/../../evil", "/a/..", "/./evil", "/%2e%2E/evil", "/.%2e/evil", "/..;/evil", "/..?x", "/..#x"]) {
    expect(localPath(bad)).toBe("/");
  }
});

it("takes whole paths and paths below the base path, and leads nowhere else by either", () => {
  expect(withoutBase("/catalog/tags", "/catalog")).toBe("/tags");
  expect(withoutBase("/catalog", "/catalog")).toBe("/");
  expect(withoutBase("/tags", "/catalog")).toBe("/tags");
  expect(withoutBase("/catalogue", "/catalog")).toBe("/catalogue");
  expect(withoutBase("/tags", "")).toBe("/tags");
  expect(withoutBase(null, "/catalog")).toBe(null);
  expect(localPath(withoutBase("/catalog//evil.example", "/catalog"))).toBe("/");
});
