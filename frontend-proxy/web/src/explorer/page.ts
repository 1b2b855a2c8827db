// Settings that the server wrote into the page, and addresses derived from the address of the page. All are
// relative, so that a base path needs no setting.

/** The GraphQL endpoint: graphql, beside the page. */
export function graphqlAddress(base: string): URL {
  return new URL("graphql", base);
}

/** The sign-in page with a return address, or null if the server set none. */
export function signInAddress(page: Document): string | null {
  const named = page.querySelector('meta[name="sign-in"]')?.getAttribute("content");
  if (!named) {
    return null;
  }
  const address = new URL(named, page.baseURI);
  address.searchParams.set("redirect_uri", new URL(page.baseURI).pathname);
  return address.href;
}
