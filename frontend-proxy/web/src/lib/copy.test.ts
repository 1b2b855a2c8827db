import { expect, it } from "vitest";

import { curlText, graphqlText, pythonText } from "./copy";

const origin = "https://catalog.example";

it("writes commands that a shell reads as one, with the token as a variable", () => {
  expect(curlText({ query: `{ tag(urn: "it's") { urn } }` }, origin)).toBe(
    String.raw`curl -s 'https://catalog.example/api/graphql' \
  -H "Authorization: Bearer $CARTULARY_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{"query":"{ tag(urn: \"it'\''s\") { urn } }"}'`,
  );
  expect(curlText({ path: "/api/gms/config", method: "GET" }, origin)).toBe(String.raw`curl -s 'https://catalog.example/api/gms/config' \
  -H "Authorization: Bearer $CARTULARY_TOKEN"`);
  expect(curlText({ path: "/x", method: "DELETE" }, origin)).toContain("-X DELETE");
  expect(curlText({ path: "/x", method: "POST" }, origin)).toContain("-X POST");
});

it("writes programs and operations", () => {
  expect(pythonText({ path: "/x", method: "POST", body: { a: "'\"" } }, origin)).toContain(String.raw`body = json.loads("{\"a\":\"'\\\"\"}")`);
  expect(graphqlText({ query: "query Q { a }", variables: { n: 1 } })).toBe('# Variables: {"n":1}\nquery Q { a }');
  expect(graphqlText({ query: "query Q { a }", variables: {} })).toBe("query Q { a }");
});
