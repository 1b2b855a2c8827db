import { describe, expect, it } from "vitest";

import { OneForm } from "./forms.operations";
import { answeredOn, assetsInput, countInput, countsIn, doneOf, progressOf, progressText, takes } from "./form";

const [mine, other] = ["urn:li:form:a", "urn:li:form:b"];
const facet = (field: string, counts: Record<string, number>) => ({ field, aggregations: Object.entries(counts).map(([value, count]) => ({ value, count })) });
const counts = countsIn({
  facets: [
    facet("incompleteForms", { [mine]: 3 }),
    facet("completedForms", { [mine]: 4 }),
    facet("verifiedForms", { [mine]: 1 }),
    facet("incompleteFormsCompletedPromptIds", { q: 2 }),
    facet("completedFormsCompletedPromptIds", Object.fromEntries([["q", 4], ...Array.from({ length: 59 }, (_, at) => [`q${at}`, 1])]) as Record<string, number>),
  ],
});

describe("the progress of a form", () => {
  it("counts assets by what is left to do", () => {
    const progress = progressOf(counts, mine);
    expect(progress).toEqual({ assets: 7, complete: 4, verified: 1 });
    expect(progress && [doneOf(progress, false), doneOf(progress, true)]).toEqual([4, 1]);
    expect(progress && progressText(progress, true)).toBe("4 of 7 assets complete, 1 verified");
    expect(progressOf(counts, other)).toEqual({ assets: 0, complete: 0, verified: 0 });
  });

  it("is not known where the server left values out", () => {
    expect(answeredOn(counts, "q")).toBe(6);
    expect(answeredOn(counts, "another")).toBeUndefined();
    expect(progressOf(countsIn(null), mine)).toBeUndefined();
  });

  it("lists what is left: what is open, and what nobody has verified", () => {
    expect(assetsInput(mine, false, "incomplete", {}).orFilters).toEqual([{ and: [{ field: "incompleteForms", values: [mine] }] }]);
    expect(assetsInput(mine, true, "incomplete", {}).orFilters).toEqual([
      { and: [{ field: "incompleteForms", values: [mine] }] },
      { and: [{ field: "completedForms", values: [mine] }, { field: "verifiedForms", values: [mine], negated: true }] },
    ]);
  });

  it("counts what a rule holds for and what has not got the form", () => {
    const rule = [{ and: [{ field: "platform", values: ["k"] }] }, { and: [{ field: "tags", values: ["t"] }] }];
    expect(countInput(rule).orFilters).toEqual(rule);
    expect(countInput(rule, mine).orFilters?.map(({ and }) => and?.map(({ field, negated }) => [field, negated ?? false]))).toEqual([
      [["platform", false], ["incompleteForms", true], ["completedForms", true]],
      [["tags", false], ["incompleteForms", true], ["completedForms", true]],
    ]);
  });

  it("says what a question takes", () => {
    expect(takes({ ofColumns: false, property: null })).toBe("The property that takes the answer is gone.");
  });
});

it("asks for the names that people gave themselves", () => {
  expect(String(OneForm)).toMatch(/PersonName on CorpUser ?\{[^}]*\}editableProperties/u);
});
