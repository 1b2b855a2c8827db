import { expect, it } from "vitest";

import { localPath } from "./local-path";

it("leads to a path of this server and nowhere else", () => {
  for (const good of ["/", "/settings/tokens", "/dataset/urn%3Ali%3Adataset%3A(a)/Schema?x=1#y", "/search?query=//a"]) {
    expect(localPath(good)).toBe(good);
  }
  for (const bad of [null, "", "//evil.example", "/\\evil.example", "\\\\evil", "https://evil.example", "javascript:alert(1)", "/\t/evil", "/\n/evil", "evil", " /x"]) {
    expect(localPath(bad)).toBe("/");
  }
});
