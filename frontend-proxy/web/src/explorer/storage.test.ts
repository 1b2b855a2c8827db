import { HistoryStore, StorageAPI } from "@graphiql/toolkit";
import { beforeEach, expect, it } from "vitest";

import { withoutHeaders } from "./storage";

const token = "Bearer very-secret";

beforeEach(() => localStorage.clear());

const everything = () => JSON.stringify({ ...localStorage });

it("keeps the history without headers", () => {
  const history = new HistoryStore(new StorageAPI(withoutHeaders(localStorage)), 5);
  history.updateHistory({ query: "{ me }", variables: '{"a": 1}', headers: `{"Authorization": "${token}"}` });
  history.toggleFavorite({ query: "{ me }", variables: '{"a": 1}', headers: `{"Authorization": "${token}"}` });
  expect(everything()).toContain("{ me }");
  expect(everything()).not.toContain("very-secret");
});

it("keeps tabs without headers and drops the text of the editor", () => {
  const storage = new StorageAPI(withoutHeaders(localStorage));
  storage.set("tabState", JSON.stringify({ tabs: [{ query: "{ me }", headers: token }], activeTabIndex: 0 }));
  storage.set("headers", token);
  expect(storage.get("tabState")).toBe('{"tabs":[{"query":"{ me }"}],"activeTabIndex":0}');
  expect(everything()).not.toContain("very-secret");
});

it.each(["query", "variables"])("leaves the text of the editor for %s alone", (key) => {
  const storage = new StorageAPI(withoutHeaders(localStorage));
  const text = '{ "headers": 1,  "b": 2 }';
  storage.set(key, text);
  expect(storage.get(key)).toBe(text);
});

it("keeps plain words, and clears what is its own alone", () => {
  localStorage.setItem("other", "stays");
  const storage = new StorageAPI(withoutHeaders(localStorage));
  storage.set("theme", "dark");
  expect(storage.get("theme")).toBe("dark");
  expect(storage.storage?.length).toBe(1);
  storage.clear();
  expect({ ...localStorage }).toEqual({ other: "stays" });
});
