// User actions in the explorer.
import assert from "node:assert/strict";

export class Explorer {
  constructor(visit) {
    this.visit = visit;
    this.page = visit.page;
  }

  // ready waits until the editor accepts text.
  async ready() {
    await this.page.locator(".graphiql-query-editor .monaco-editor textarea").first().waitFor({ state: "attached" });
  }

  // schema waits until the schema is loaded: the documentation then lists its root types.
  async schema() {
    await this.#panel("Documentation Explorer");
    await this.page.locator(".graphiql-doc-explorer-root-type").first().waitFor();
  }

  async banner(what) {
    await this.page.locator('[role="status"]', { hasText: what }).waitFor();
  }

  async noBanner() {
    await this.page.locator(".banner").waitFor({ state: "detached" });
  }

  // signIn returns the address of the sign-in link, or null if there is none.
  async signIn() {
    await this.page.locator(".banner").waitFor();
    const link = this.page.getByRole("link", { name: "Sign in" });
    return (await link.count()) === 0 ? null : link.evaluate((element) => element.href);
  }

  press(name) {
    return this.page.getByRole("button", { name, exact: true }).click();
  }

  // pasteToken performs the action that the banner offers.
  async pasteToken(token) {
    await this.press("Paste a token");
    await this.page.locator('[aria-label="Headers"] textarea:focus').waitFor({ state: "attached" });
    await this.visit.paste(token);
  }

  async headers(headers) {
    await this.press("Headers");
    await this.#fill('[aria-label="Headers"] .graphiql-editor:not(.hidden)', JSON.stringify(headers));
  }

  // run enters a document into the editor, runs it and returns the response.
  async run(document) {
    await this.#fill(".graphiql-query-editor", document);
    const [, , title = "<untitled>"] = document.match(/(query|mutation)\s+(\w+)/) ?? [];
    await this.page.getByRole("button", { name: title, exact: true }).first().waitFor();
    const answered = this.page.waitForResponse((response) => response.url().endsWith("/api/graphql"));
    await this.press("Execute query (Ctrl-Enter)");
    const answer = await (await answered).json();
    // The displayed text must match the response.
    const word = JSON.stringify(answer).match(/urn:li:\w+|"message"/)?.[0] ?? "data";
    await this.page.locator(".graphiql-response .view-lines", { hasText: word.replaceAll('"', "") }).waitFor();
    return answer;
  }

  // completions returns the suggestions after a text.
  async completions(text) {
    await this.#fill(".graphiql-query-editor", text);
    const offered = this.page.locator(".suggest-widget.visible .monaco-list-row .label-name");
    // The editor's worker receives the schema a moment after the page, and makes no suggestions before.
    for (let left = 5; left > 0; left--) {
      await this.page.keyboard.press("Control+Space");
      const shown = await offered.first().waitFor({ timeout: 3000 }).then(() => true, () => false);
      if (shown) {
        break;
      }
      await this.page.keyboard.press("Escape");
    }
    return offered.allInnerTexts();
  }

  // docs searches the documentation for a type and opens it.
  async docs(type) {
    await this.#panel("Documentation Explorer");
    await this.page.locator(".graphiql-doc-explorer-search input").fill(type);
    await this.page.getByRole("option", { name: type, exact: true }).first().click();
    const title = await this.page.locator(".graphiql-doc-explorer-title").innerText();
    assert.equal(title, type);
  }

  async history() {
    await this.#panel("History");
    await this.page.locator(".graphiql-history-item").first().waitFor();
    return this.page.locator(".graphiql-history").innerText();
  }

  // cramped returns the elements that are narrower than least, or not within the window.
  async cramped(selectors, least) {
    const { width, height } = this.page.viewportSize();
    const boxes = await Promise.all(selectors.map((selector) => this.page.locator(selector).first().boundingBox()));
    const fits = (box) => box && box.width >= least && box.height > 0 && box.x + box.width <= width && box.y + box.height <= height;
    return selectors.flatMap((selector, i) => (fits(boxes[i]) ? [] : [`${selector}: ${JSON.stringify(boxes[i])}`]));
  }

  stored() {
    return this.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  }

  // The button of a panel toggles it.
  async #panel(name) {
    const shown = this.page.getByRole("button", { name: `Hide ${name}` });
    const hidden = this.page.getByRole("button", { name: `Show ${name}` });
    await shown.or(hidden).waitFor();
    if (await hidden.isVisible()) {
      await hidden.click();
    }
  }

  async #fill(editor, text) {
    await this.page.locator(`${editor} .monaco-editor .view-lines`).first().click();
    await this.page.keyboard.press("Control+A");
    await this.visit.paste(text);
  }
}
