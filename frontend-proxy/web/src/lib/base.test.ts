import { afterEach, describe, expect, it, vi } from "vitest";

// Pages read the base path once, at startup.
async function below<Module>(base: string, load: () => Promise<Module>): Promise<Module> {
  document.documentElement.dataset["base"] = base;
  vi.resetModules();
  return load();
}

afterEach(() => {
  delete document.documentElement.dataset["base"];
  vi.resetModules();
  vi.unstubAllGlobals();
});

describe("a base path", () => {
  it.each(["", "/catalog", "/data/catalog-1.x~"])("stands before every address of the server: %j", async (base) => {
    const { address } = await below(base, () => import("./base"));
    expect(address("/logIn")).toBe(`${base}/logIn`);
  });

  it("is none when it is no path", async () => {
    for (const wrong of ["BASE-PATH", "//evil.example", "/catalog/", "https://evil.example", "/a b", '/a"b']) {
      // oxlint-disable-next-line no-await-in-loop -- there is one document
      const { base } = await below(wrong, () => import("./base"));
      expect(base).toBe("");
    }
  });

  it("is in requests and in what people copy", async () => {
    const { send } = await below("/catalog", () => import("./request"));
    const fetched = vi.fn<typeof fetch>(() => Promise.resolve(new Response("{}")));
    vi.stubGlobal("fetch", fetched);
    await send("/api/gms/operations?action=getIndexSizes");
    expect(fetched.mock.calls[0]?.[0]).toBe("/catalog/api/gms/operations?action=getIndexSizes");
    const { curlText, pythonText } = await import("./copy");
    const call = { query: "{ me { corpUser { urn } } }" };
    expect(curlText(call, "https://site.example")).toContain("curl -s 'https://site.example/catalog/api/graphql'");
    expect(pythonText(call, "https://site.example")).toContain('urllib.request.Request("https://site.example/catalog/api/graphql"');
  });
});
