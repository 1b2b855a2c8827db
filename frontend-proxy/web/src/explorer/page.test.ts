import { expect, it } from "vitest";

import { graphqlAddress, signInAddress } from "./page";

function page(base: string, named: string | null): Document {
  const doc = document.implementation.createHTMLDocument();
  doc.head.innerHTML = `<base href="${base}">${named === null ? "" : `<meta name="sign-in" content="${named}">`}`;
  return doc;
}

it.each([
  ["http://catalog.example/api/graphiql", "http://catalog.example/api/graphql"],
  ["http://catalog.example/base/api/graphiql?query=x", "http://catalog.example/base/api/graphql"],
])("finds GraphQL beside %s", (base, want) => {
  expect(graphqlAddress(base).href).toBe(want);
});

it.each([
  ["http://catalog.example/api/graphiql", "http://catalog.example/authenticate?redirect_uri=%2Fapi%2Fgraphiql"],
  ["http://catalog.example/base/api/graphiql", "http://catalog.example/base/authenticate?redirect_uri=%2Fbase%2Fapi%2Fgraphiql"],
])("leads from %s to the sign-in page and back", (base, want) => {
  expect(signInAddress(page(base, "../authenticate"))).toBe(want);
});

it.each(["", null])("knows no sign-in page when the server names none (%s)", (named) => {
  expect(signInAddress(page("http://catalog.example/api/graphiql", named))).toBeNull();
});
