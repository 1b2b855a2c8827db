import { describe, expect, it } from "vitest";

import { AccessLog, after, type Access, type Outcome } from "./access";
import type { Credential } from "./credential";

const answered = (status: number, credential: Credential = "none", challenge: string | null = null): Outcome => ({
  kind: "answered",
  status,
  challenge,
  credential,
});

describe("after", () => {
  it.each<[string, Access, Outcome, Access]>([
    ["an answer to the cookie", "unknown", answered(200), "granted"],
    ["an answer to a token", "refused", answered(200, "given"), "granted"],
    ["a bad document was read by somebody", "signed-out", answered(400), "granted"],
    ["no credential", "unknown", answered(401, "none", "Bearer"), "signed-out"],
    ["a header without a token", "signed-out", answered(401, "empty"), "no-token"],
    ["a bad token", "granted", answered(401, "given", 'Bearer error="invalid_token"'), "refused"],
    ["a missing privilege is no bad credential", "unknown", answered(401, "given", 'Bearer error="insufficient_scope"'), "granted"],
    ["no such path", "unknown", answered(404), "absent"],
    ["a path that does not take queries", "unknown", answered(405), "absent"],
    ["the service is away", "granted", answered(502), "unavailable"],
    ["the service starts", "granted", answered(503), "unavailable"],
    ["a defect says nothing about access", "signed-out", answered(500), "signed-out"],
    ["no connection", "granted", { kind: "unreachable" }, "unreachable"],
  ])("%s", (_, before, outcome, want) => {
    expect(after(before, outcome)).toBe(want);
  });
});

it("tells watchers about changes alone, until they leave", () => {
  const log = new AccessLog();
  const seen: Access[] = [];
  const leave = log.watch(() => seen.push(log.current()));
  log.note(answered(401));
  log.note(answered(401));
  log.note(answered(200));
  leave();
  log.note(answered(401));
  expect(seen).toEqual(["signed-out", "granted"]);
  expect(log.current()).toBe("signed-out");
});
