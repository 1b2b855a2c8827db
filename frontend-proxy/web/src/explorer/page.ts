// What the server wrote into the page, and addresses derived from where the page is. All are relative, so
// that a base path in front of the server needs no setting.

/** Where operations go: graphql, beside the page. */
export function graphqlAddress(base: string): URL {
  return new URL("graphql", base);
}

/** The sign-in page with the way back to this one, or null where the server named none. */
export function signInAddress(page: Document): string | null {
  const named = page.querySelector('meta[name="sign-in"]')?.getAttribute("content");
  if (!named) {
    return null;
  }
  const address = new URL(named, page.baseURI);
  address.searchParams.set("redirect_uri", new URL(page.baseURI).pathname);
  return address.href;
}
