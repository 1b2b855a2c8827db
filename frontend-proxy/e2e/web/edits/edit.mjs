// Shared code of the edit stories: a user makes a change on a page, the page shows it after a reload, and the
// stock client reads it.
import assert from "node:assert/strict";

import { answered, changeOf, isChange, toggle, visit } from "../visit.mjs";

export const pathOf = (urn, tab = "") => `/${urn.split(":")[2]}/${encodeURIComponent(urn)}${tab && `/${tab}`}`;

// keyOf identifies a change. A mutation is identified by its text, because several mutations share a name.
const keyOf = (request) => (new URL(request.url()).pathname === "/api/graphql" ? request.postDataJSON().query : changeOf(request));

// inTurn combines several stories into one.
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

  // The client reads with token, which has all privileges. Successful changes are added to performed.
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

  // settled waits until the page has loaded its data.
  settled() {
    return this.#opened.settled();
  }

  // other runs a story as a signed-out user, on a separate page.
  other(path, story) {
    return visit(this.stack, path, (_, opened) => story(new Edit(opened, this.#with)));
  }

  async open(path) {
    await this.page.goto(this.stack.proxy + path);
  }

  // store writes the entities that a story starts with.
  async store(entities) {
    for (const entity of entities) {
      await this.stack.call(this.#with.token, "POST", `/openapi/v3/entity/${entity.urn.split(":")[2]}?async=false`, [entity]);
    }
  }

  // change runs an action that sends a change, and waits for the response, because pages show the expected
  // result earlier.
  change(act) {
    return answered(this.page, act);
  }

  // made makes one or several changes, reloads the page and waits until it shows them. Then the client
  // evaluates reads: items of [urn, aspect, expression, expected value]. If a change creates a URN, reads is
  // a function that is called afterwards.
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

  // more opens the menu of an entity and selects an item.
  async more(name, item) {
    await this.page.getByRole("button", { name: name instanceof RegExp ? name : `More for ${name}`, exact: true }).click();
    await this.page.getByRole("menuitem", { name: item, exact: true }).click();
  }

  // choose opens a selection list by its button, searches for a text, toggles the entry and saves.
  async choose(label, text, name) {
    const { page } = this;
    await page.getByRole("button", { name: label, exact: true }).click();
    const list = page.getByRole("dialog", { name: label });
    await toggle(list, text, name);
    await this.change(() => list.getByRole("button", { name: "Save", exact: true }).click());
    await list.waitFor({ state: "detached" });
  }

  // urnBehind returns the URN of the page that a link leads to.
  async urnBehind(link) {
    return decodeURIComponent((await link.getAttribute("href")).split("/")[2]);
  }

  // urn is the URN of the entity that the page shows.
  get urn() {
    return decodeURIComponent(new URL(this.page.url()).pathname.split("/")[2]);
  }

  // write enters a text into a field that is edited in place.
  async write(label, text, key = "Control+Enter") {
    const { page } = this;
    await page.getByRole("button", { name: new RegExp(`^(Edit|Add( an?)?) ${label}(:|$)`, "u") }).click();
    const field = page.getByRole("textbox", { name: label, exact: true });
    await field.fill(text);
    await this.change(() => field.press(key));
    await field.waitFor({ state: "detached" });
  }
}
