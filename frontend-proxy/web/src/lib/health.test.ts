import { expect, it } from "vitest";

import * as health from "./health";
import { answered } from "./test-answer";

// Responses of tests may have invalid members.
const healthText = (value: unknown) => health.healthText(answered(value));

const checks = (message: unknown, status = "FAIL") => healthText({ type: "ASSERTIONS", status, message });
const pass = (...counts: unknown[]) => healthText({ type: "ASSERTIONS", status: "PASS", message: "All assertions are passing", latestAssertionStatusByType: counts.map((statusCount) => ({ statusCount })) });

it("counts the checks that fail, and those that could not be run", () => {
  expect(checks("1 assertion of 12 failing")).toBe("1 of 12 checks fails");
  expect(checks("2 assertions of 12  failing")).toBe("2 of 12 checks fail");
  expect(checks("1 assertion of 12 could not be run", "WARN")).toBe("1 of 12 checks could not be run");
});

it("counts the checks that pass, where the answer tells how many", () => {
  expect(pass(4, 2)).toBe("6 checks pass");
  expect(pass(1)).toBe("1 check passes");
  expect(pass(1200)).toBe("1,200 checks pass");
  expect([pass(), pass(null), pass("x"), healthText({ type: "ASSERTIONS", status: "PASS", latestAssertionStatusByType: null })]).toEqual(Array(4).fill("Checks pass"));
});

it("speaks of incidents that are open", () => {
  expect(healthText({ type: "INCIDENTS", status: "FAIL", message: "1 active incident" })).toBe("1 open incident");
  expect(healthText({ type: "INCIDENTS", status: "FAIL", message: "3 active incidents" })).toBe("3 open incidents");
});

it("leaves other words as they came, and has none where there are none", () => {
  expect(healthText({ type: "FRESHNESS", status: "WARN", message: "Late" })).toBe("Late");
  expect([healthText({}), healthText("x"), checks(null), healthText({ message: {} })]).toEqual(["", "", "", ""]);
});
