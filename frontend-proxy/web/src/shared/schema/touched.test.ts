import { parse, validate } from "graphql";
import { describe, expect, it, vi } from "vitest";

import { Problem } from "../../lib/problem";
import { run } from "../../lib/request";
import { schema } from "../../lib/test-schema";
import { readTouched, touchedBy, touchedIn } from "./touched";

vi.mock("../../lib/request", () => ({ run: vi.fn<typeof run>() }));

it("fails where it is not told of a column, which else would seem to feed nothing", async () => {
  vi.mocked(run).mockResolvedValueOnce({ data: { dashboards0: { total: 1, isPartial: false }, all0: null }, problems: [new Problem("failed", "The search took too long.")] });
  await expect(readTouched("urn:li:dataset:a", ["x"], new AbortController().signal)).rejects.toThrow("took too long");
});

describe("the query of what is made from columns", () => {
  it("asks for all of them at once, and what it gives is told apart", () => {
    const { operation, variables } = touchedBy("urn:li:dataset:x", ["a", "b"]);
    expect(validate(schema, parse(operation.toString())).map(({ message }) => message)).toEqual([]);
    expect(variables).toEqual({ column0: "urn:li:schemaField:(urn:li:dataset:x,a)", column1: "urn:li:schemaField:(urn:li:dataset:x,b)" });
    expect(touchedIn({ all0: { total: 1 }, all1: { total: 2 }, charts1: { total: 1 } }, 1)).toEqual({ all: { total: 2 }, charts: { total: 1 }, dashboards: undefined });
  });
});
