import { afterEach, expect, it, vi } from "vitest";

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

it.each([
  ["", "/settings/tokens?state=ended#a", "/login?redirect_uri=%2Fsettings%2Ftokens%3Fstate%3Dended%23a"],
  ["", "/", "/login"],
  ["/catalog", "/catalog/settings/tokens?state=ended", "/catalog/login?redirect_uri=%2Fcatalog%2Fsettings%2Ftokens%3Fstate%3Dended"],
  ["/catalog", "/catalog/", "/catalog/login"],
  ["/dataset", "/dataset/dataset/urn", "/dataset/login?redirect_uri=%2Fdataset%2Fdataset%2Furn"],
])("the base path is in the way to sign-in and back, below %j at %s", async (base, at, want) => {
  const { signInAddress } = await below(base, () => import("./session"));
  history.replaceState(null, "", at);
  expect(signInAddress()).toBe(want);
  const asked = new URL(want, "https://site.example").searchParams.get("redirect_uri");
  const { localPath, withoutBase } = await import("../../lib/local-path");
  expect(localPath(withoutBase(asked, base))).toBe(at.slice(base.length));
});
