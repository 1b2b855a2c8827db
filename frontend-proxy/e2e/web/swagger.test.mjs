// The OpenAPI documentation page in a browser, behind the frontend proxy.
//
//   CHROMIUM     path of the browser, default /usr/bin/chromium
//   SCREENSHOTS  folder for screenshots; none are taken if it is not set
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";

import { Browser, chromium } from "./browser.mjs";
import { Stack, admin } from "./stack.mjs";

const missing = !existsSync(chromium) && `no browser at ${chromium}: set CHROMIUM, or install it`;
if (missing) {
  console.error(`\n!!! SKIPPED: the page of the OpenAPI documents in a browser: ${missing}\n`);
}

const tag = "urn:li:tag:swagger";

describe("the page of the OpenAPI documents", { skip: missing, timeout: 300_000 }, () => {
  let stack, token;

  before(async () => {
    stack = await Stack.start();
    token = await stack.token("swagger", admin);
  });
  after(() => stack?.stop());

  // tryOut opens an operation, enters the given values, sends the request, and returns the displayed status.
  async function tryOut(page, id, { body, parameters = {} } = {}) {
    const operation = page.locator(`.opblock[id$="-${id}"]`);
    if ((await operation.locator(".opblock-body").count()) === 0) {
      await operation.locator(".opblock-summary-control").click();
      await operation.getByRole("button", { name: "Try it out" }).click();
    }
    for (const [name, value] of Object.entries(parameters)) {
      const field = operation.locator(`tr[data-param-name="${name}"]`);
      const choice = field.locator("select");
      await ((await choice.count()) ? choice.selectOption(value) : field.locator("input").fill(value));
    }
    if (body) {
      await operation.locator("textarea").first().fill(body);
    }
    const answered = page.waitForResponse((answer) => answer.request().resourceType() === "fetch");
    await operation.getByRole("button", { name: "Execute" }).click();
    const answer = await answered;
    const shown = operation.locator(".live-responses-table .response-col_status").last();
    await shown.filter({ hasText: String(answer.status()) }).waitFor();
    return answer.status();
  }

  async function openChapter(page, name) {
    const chapter = page.locator(`.opblock-tag[data-tag="${name}"]`);
    await chapter.waitFor();
    if ((await chapter.getAttribute("data-is-open")) === "false") {
      await chapter.click();
    }
  }

  it("is reached by signing in, and reads and writes as who is signed in", async () => {
    const browser = await Browser.launch();
    try {
      const opened = await browser.open(`${stack.proxy}/openapi/swagger-ui/index.html?urls.primaryName=operations`);
      const { page } = opened;
      await page.getByLabel("User name").fill("datahub");
      assert.equal(new URL(page.url()).pathname, "/login");
      await page.getByRole("textbox", { name: "Password" }).fill(await stack.adminPassword());
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.waitForURL(`${stack.proxy}/openapi/swagger-ui/index.html?urls.primaryName=operations`);
      await openChapter(page, "Service");

      await page.goto(`${stack.proxy}/openapi/swagger-ui`);
      await openChapter(page, "tag");
      const body = JSON.stringify([{ urn: tag, tagProperties: { value: { name: "From the page" } } }]);
      assert.equal(await tryOut(page, "post_v3_entity_tag", { body, parameters: { async: "false" } }), 200);
      assert.equal(await tryOut(page, "get_v3_entity_tag_urn", { parameters: { urn: tag } }), 200);
      await opened.picture("swagger-signed-in");
      const stored = await stack.call(token, "GET", `/openapi/v3/entity/tag/${encodeURIComponent(tag)}/tagProperties`);
      assert.equal(stored.value.name, "From the page");
      const { violations } = await opened.seen();
      assert.deepEqual(opened.foreign, [], "requests to other hosts");
      assert.deepEqual(violations, [], "against the content policy");
      assert.deepEqual(opened.errors, [], "errors on the console");
    } finally {
      await browser.close();
    }
    const refused = await fetch(`${stack.proxy}/openapi/swagger-ui/index.html`, { redirect: "manual" });
    assert.equal(refused.status, 401, "a program is told so");
    assert.match(refused.headers.get("content-type"), /json/u);
  });

  it("takes a token at the address of the service, where nobody signs in", async () => {
    const browser = await Browser.launch();
    try {
      const opened = await browser.open(`${stack.service}/openapi/swagger-ui`);
      const { page } = opened;
      const field = page.getByLabel("Access token");
      await field.waitFor();
      await opened.picture("swagger-token");
      assert.deepEqual(await opened.accessibility(), []);
      await field.fill("not.a.token");
      await field.press("Enter");
      await page.getByRole("alert").filter({ hasText: "not valid" }).waitFor();
      await field.fill(token);
      await field.press("Enter");
      await openChapter(page, "tag");
      const body = JSON.stringify([{ urn: `${tag}-direct`, tagProperties: { value: { name: "By a token" } } }]);
      assert.equal(await tryOut(page, "post_v3_entity_tag", { body, parameters: { async: "false" } }), 200);
      await opened.picture("swagger-by-token");

      // Requests carry the authorization that the dialog shows.
      await page.locator(".auth-wrapper").getByRole("button", { name: "Authorize" }).click();
      await page.locator(".auth-container").getByRole("button", { name: "Remove authorization" }).click();
      await page.locator(".auth-container").getByRole("button", { name: "Close" }).click();
      assert.equal(await tryOut(page, "post_v3_entity_tag"), 401);
      await page.locator(".auth-wrapper").getByRole("button", { name: "Authorize" }).click();
      await page.locator(".auth-container input").fill(token);
      await page.locator(".auth-container").getByRole("button", { name: "Apply credentials" }).click();
      await page.locator(".auth-container").getByRole("button", { name: "Close" }).click();
      assert.equal(await tryOut(page, "post_v3_entity_tag"), 200);

      const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]));
      assert.ok(!kept.includes(token), "the token is stored nowhere");
      const { violations } = await opened.seen();
      assert.deepEqual(opened.foreign, [], "requests to other hosts");
      assert.deepEqual(violations, [], "against the content policy");
      const others = opened.errors.filter((error) => !error.includes("401"));
      assert.deepEqual(others, [], "errors on the console besides the refusals");
    } finally {
      await browser.close();
    }
  });
});
