// What the stories of edits have in common: somebody changes something on a page, loads the page anew and sees it there, and
// the stock client reads the same.
import assert from "node:assert/strict";

import { answered, changeOf, isChange, visit } from "../visit.mjs";

export const pathOf = (urn, tab = "") => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}${tab && `/${tab}`}`;

// keyOf is what a change is known by: a mutation by its text, for several have one name.
const keyOf = (request) => (new URL(request.url()).pathname === "/api/graphql" ? request.postDataJSON().query : changeOf(request));

// inTurn makes one story of several about the same thing.
export const inTurn =
  (...stories) =>
  async (edit) => {
    for (const story of stories) {
      await story(edit);
    }
  };

export class Edit {
  #with;
  #opened;
  #sent = [];

  // The client reads with the token, which may everything. Changes that went well are added to those performed.
  constructor(opened, { stack, token, client, performed }) {
    this.page = opened.page;
    this.stack = stack;
    this.#opened = opened;
    this.#with = { stack, token, client, performed };
    this.page.on("request", (request) => {
      if (isChange(request)) {
        this.#sent.push(request);
      }
    });
  }

  // settled waits until the page has read what it shows.
  settled() {
    return this.#opened.settled();
  }

  // other is somebody else at work, who is not signed in, on a page of their own.
  other(path, story) {
    return visit(this.stack, path, (_, opened) => story(new Edit(opened, this.#with)));
  }

  async open(path) {
    await this.page.goto(this.stack.proxy + path);
  }

  // store writes entities as they are before the story.
  async store(entities) {
    for (const entity of entities) {
      await this.stack.call(this.#with.token, "POST", `/openapi/v3/entity/${entity.urn.split(":")[2]}?async=false`, [entity]);
    }
  }

  // change does something that sends a change, and waits for the answer: pages show what they expect before.
  change(act) {
    return answered(this.page, act);
  }

  // made makes one or several changes, loads the page anew and waits until it shows them; then the client reads
  // [urn, aspect, expression], each with what it is to find. Where a change makes a URN, a function gives them afterwards.
  async made(act, shown, reads) {
    await act();
    assert.notEqual(this.#sent.length, 0, "nothing was changed");
    for (const request of this.#sent.splice(0)) {
      const response = await request.response();
      assert.ok(response?.ok(), `${keyOf(request)} was answered ${response?.status()}`);
      const { errors } = request.url().endsWith("/api/graphql") ? await response.json() : {};
      assert.equal(errors, undefined, keyOf(request));
      this.#with.performed.add(keyOf(request));
    }
    await this.page.reload();
    await shown();
    const asked = typeof reads === "function" ? reads() : reads;
    const found = await this.#with.client.read(asked.map(([urn, aspect, expression]) => [urn, aspect, expression]));
    asked.forEach(([urn, aspect, expression, want], at) => assert.deepEqual(found[at], want, `${aspect} of ${urn}: ${expression}`));
  }

  // more opens the menu of something and takes an item of it.
  async more(name, item) {
    await this.page.getByRole("button", { name: name instanceof RegExp ? name : `More for ${name}`, exact: true }).click();
    await this.page.getByRole("menuitem", { name: item, exact: true }).click();
  }

  // choose ticks what is found by a text in the list that a button opens, or takes the tick away.
  async choose(label, text, name) {
    const { page } = this;
    await page.getByRole("button", { name: label, exact: true }).click();
    const list = page.getByRole("dialog", { name: label });
    await list.getByRole("searchbox").fill(text);
    await list.getByRole("checkbox", { name }).first().click();
    await this.change(() => list.getByRole("button", { name: "Save", exact: true }).click());
    await list.waitFor({ state: "detached" });
  }

  // urnBehind is what a link leads to the page of.
  async urnBehind(link) {
    return decodeURIComponent((await link.getAttribute("href")).split("/")[2]);
  }

  // urn is what the page is about.
  get urn() {
    return decodeURIComponent(new URL(this.page.url()).pathname.split("/")[2]);
  }

  // write writes into a text that is edited where it is read.
  async write(label, text, key = "Control+Enter") {
    const { page } = this;
    await page.getByRole("button", { name: new RegExp(`^(Edit|Add( an?)?) ${label}(:|$)`, "u") }).click();
    const field = page.getByRole("textbox", { name: label, exact: true });
    await field.fill(text);
    await this.change(() => field.press(key));
    await field.waitFor({ state: "detached" });
  }
}
