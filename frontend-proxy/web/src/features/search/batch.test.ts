import { expect, it, vi } from "vitest";

import { Problem } from "../../lib/problem";
import { changeAll } from "./batch";

const urns = (count: number) => Array.from({ length: count }, (_, at) => `urn:li:tag:${at}`);

it("changes many assets in calls of a hundred", async () => {
  const send = vi.fn<(urns: string[]) => Promise<void>>(() => Promise.resolve());
  expect(await changeAll(urns(250), send)).toEqual({ done: 250, refused: [] });
  expect(send.mock.calls.map(([sent]) => sent.length)).toEqual([100, 100, 50]);
});

it("tells which assets of a refused call were refused, and changes the others", async () => {
  const changed: string[] = [];
  const send = (sent: string[]) => {
    if (sent.includes("urn:li:tag:3")) {
      return Promise.reject(new Problem("refused", "You may not edit it."));
    }
    changed.push(...sent);
    return Promise.resolve();
  };
  expect(await changeAll(urns(10), send)).toEqual({ done: 9, refused: [{ urn: "urn:li:tag:3", reason: "You may not edit it." }] });
  expect(changed).toHaveLength(9);
});

it("stops where the catalog is away, for then nothing is known of the rest", async () => {
  const send = vi.fn<(urns: string[]) => Promise<void>>(() => Promise.reject(new Problem("away", "The catalog cannot be reached.")));
  await expect(changeAll(urns(10), send)).rejects.toThrow("cannot be reached");
  expect(send).toHaveBeenCalledOnce();
});
