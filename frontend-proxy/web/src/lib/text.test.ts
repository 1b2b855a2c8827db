import { expect, it } from "vitest";

import { counted, initials, keyOf, privilegeName } from "./text";

it("counts things with their noun", () => {
  expect([counted(1, "test"), counted(2000, "test"), counted(0, "person", "people")]).toEqual(["1 test", "2,000 tests", "0 people"]);
});

it("takes letters of a name, whatever it is made of", () => {
  expect(["Noor", "Sales data team", "jo.doe@x.example", "x", "", "数据 团队", "🦊fox"].map(initials)).toEqual(["No", "SD", "JD", "X", "?", "数团", "🦊f"]);
});

it("spells privileges and keys", () => {
  expect(privilegeName("GENERATE_PERSONAL_ACCESS_TOKENS")).toBe("Generate Personal Access Tokens");
  expect(keyOf("urn:li:corpuser:jo")).toBe("jo");
});
