import { describe, expect, it } from "vitest";

import { checksInput, failingText, statesIn } from "./inputs";

describe("checks that do not pass", () => {
  it("are asked for by their last verdict", () => {
    expect(checksInput("failing", 50, 50)).toMatchObject({ start: 50, orFilters: [{ and: [{ field: "assertionStatus", values: ["FAILING"] }] }] });
  });
});

describe("the sentence", () => {
  it.each([
    [{ failing: 3, error: 0, passing: 9 }, 2, 1, "3 checks fail on 2 assets; 1 incident is open"],
    [{ failing: 1, error: 2, passing: 0 }, 1, 0, "1 check fails and 2 could not be run, on 1 asset"],
    [{ failing: 0, error: 1, passing: 0 }, undefined, 0, "1 check could not be run"],
    [{ failing: 0, error: 0, passing: 4 }, 0, 2, "2 incidents are open"],
    [{ failing: 0, error: 0, passing: 4 }, 0, 0, ""],
  ])("tells %j on %s assets with %s incidents as %j", (states, assets, incidents, text) => expect(failingText(states, assets, incidents)).toBe(text));

  it("counts by the last verdict of each", () => {
    expect(statesIn({ facets: [{ field: "assertionStatus", aggregations: [{ value: "FAILING", count: 2 }, { value: "PASSING", count: 7 }] }] })).toEqual({ failing: 2, error: 0, passing: 7 });
    expect(statesIn(null)).toEqual({ failing: 0, error: 0, passing: 0 });
  });
});
