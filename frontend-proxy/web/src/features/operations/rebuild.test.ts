import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { bodyOf, doneIn, wishProblem, type Wish } from "./rebuild";
import { seriesName, seriesWords } from "./series";

const wish = (more: Partial<Wish> = {}): Wish => ({ scope: "all", type: "dataset", urn: "urn:li:tag:a", aspect: "", complete: false, ...more });

it("asks for no more than what is chosen", () => {
  expect(bodyOf(wish())).toEqual({});
  expect(bodyOf(wish({ scope: "type", type: "dataJob", aspect: " status ", complete: true }))).toEqual({ urnLike: "urn:li:dataJob:%", aspect: "status", createDefaultAspects: true });
  expect(bodyOf(wish({ scope: "urn", urn: " urn:li:tag:a_b " }))).toEqual({ urn: "urn:li:tag:a_b" });
  expect(bodyOf(wish({ scope: "urn", urn: "urn:li:tag:a%" }))).toEqual({ urnLike: "urn:li:tag:a%" });
});

it("asks for a URN where one is wanted", () => {
  expect(wishProblem(wish({ urn: "" }))).toBeNull();
  expect(wishProblem(wish({ scope: "urn", urn: "fct_orders" }))).toMatch(/begins with urn:li:/);
  expect(wishProblem(wish({ scope: "urn", urn: "urn:li:tag:%" }))).toBeNull();
});

it("reads what was done, and bears a task that does not tell", () => {
  expect(doneIn({ Rows: 1287, Completed: 2 })).toEqual({ read: 1287, added: 2 });
  expect([null, "text", {}, { Rows: null }].map((each) => doneIn(answered(each)))).toEqual([null, null, null, null]);
});

it("names time series as the model does, and in words", () => {
  expect([seriesName("datasetprofile"), seriesWords("datasetProfile")]).toEqual(["datasetProfile", "Profiles of datasets"]);
  expect([seriesName("something_new"), seriesWords("constructor")]).toEqual(["something_new", "constructor"]);
});
