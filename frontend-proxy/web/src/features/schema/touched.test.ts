import { expect, it, vi } from "vitest";

import { Problem } from "../../lib/problem";
import { run } from "../../lib/request";
import { readTouched } from "./touched";

vi.mock("../../lib/request", () => ({ run: vi.fn<typeof run>() }));

it("fails where it is not told of a column, which else would seem to feed nothing", async () => {
  vi.mocked(run).mockResolvedValueOnce({ data: { dashboards0: { total: 1, isPartial: false }, all0: null }, problems: [new Problem("failed", "The search took too long.")] });
  await expect(readTouched("urn:li:dataset:a", ["x"], new AbortController().signal)).rejects.toThrow("took too long");
});
