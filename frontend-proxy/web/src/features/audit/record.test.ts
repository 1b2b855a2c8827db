import { expect, it } from "vitest";

import { callText, cellsOf, deedOf, isRefused, searchOf, typesOf, wayText, whoText, whyText, type AuditRecord } from "./record";

const names = new Map([
  ["urn:li:corpuser:noor", "Noor"],
  ["urn:li:corpuser:stefan", "Stefan"],
  ["urn:li:dataHubPolicy:7", "Spring migration"],
]);
const record = (type: string, more: Partial<AuditRecord> = {}): AuditRecord => ({ type, timestamp: 0, actorUrn: "urn:li:corpuser:noor", ...more });
const says = (type: string, more: Partial<AuditRecord> = {}) => {
  const { text, code, thing } = deedOf(record(type, more), names);
  return [text, code, thing?.name].filter(Boolean).join(" ");
};

it("says what was done", () => {
  expect(says("LogInEvent")).toBe("signed in");
  expect(says("UpdatePolicyEvent", { entityUrn: "urn:li:dataHubPolicy:7" })).toBe("changed the policy Spring migration");
  expect(says("UpdateUserEvent", { entityUrn: "urn:li:corpuser:stefan", aspectName: "corpUserStatus" })).toBe("changed the state of Stefan");
  expect(says("UpdateUserEvent", { entityUrn: "urn:li:corpuser:noor", aspectName: "later" })).toBe("changed themselves");
  expect(says("AccessRefusedEvent", { operation: "addTag", count: 12 })).toBe("lacked a privilege, 12 times for addTag");
  expect(says("EndSessionsEvent", { entityUrn: "urn:li:corpuser:stefan" })).toBe("ended all sessions of Stefan");
  expect(says("EndSessionsEvent", { entityUrn: "urn:li:corpuser:noor" })).toBe("signed out everywhere");
  expect(says("UpdateAspectEvent", { aspectName: "globalTags", entityUrn: "urn:li:tag:x" })).toBe("wrote globalTags x");
});

it("says what it does not know by its own name", () => {
  expect(says("MoveMountainEvent", { entityUrn: "urn:li:mountain:k2" })).toBe("move mountain k2");
  expect(wayText(record("MoveMountainEvent", { eventSource: "PIGEON" }))).toBe("PIGEON");
  expect(isRefused("MoveMountainEvent")).toBe(false);
});

it("masks the name of a failed sign-in unless it is somebody's", () => {
  const failed = record("FailedLogInEvent", { actorUrn: "urn:li:corpuser:id-secret", count: 5 });
  expect(deedOf(failed, names)).toEqual({ text: "tried to sign in, 5 times, as", code: "id•••" });
  expect(whoText(failed, names)).toEqual({ name: "someone", known: false });
  expect(says("FailedLogInEvent", { count: 5 })).toBe("gave a wrong password, 5 times");
  expect(whoText(record("LogInEvent"), names)).toEqual({ name: "Noor", known: true });
});

it("exports records with their actors, and masks who failed to sign in", () => {
  expect(cellsOf(record("LogInEvent", { entityUrn: "urn:li:corpuser:noor" }), names).slice(0, 5)).toEqual(["1970-01-01T00:00:00.000Z", "LogInEvent", "done", "urn:li:corpuser:noor", "urn:li:corpuser:noor"]);
  const failed = cellsOf(record("FailedLogInEvent", { actorUrn: "urn:li:corpuser:id-secret", entityUrn: "urn:li:corpuser:id-secret" }), names);
  expect(failed.join(" ")).not.toContain("secret");
  expect(failed.slice(2, 4)).toEqual(["refused", "someone"]);
});

it("tells the way, the reason and the call", () => {
  expect(wayText(record("FailedLogInEvent"))).toBe("not signed in");
  expect(wayText(record("LogInEvent", { loginSource: "ssoLogin" }))).toBe("single sign-on");
  expect(wayText(record("UpdateUserEvent", { userAgent: "Mozilla/5.0", eventSource: "GRAPHQL" }))).toBe("browser");
  expect(wayText(record("UpdateUserEvent", { tokenId: "t", eventSource: "RESTLI" }))).toBe("access token, Rest.li");
  expect(whyText(record("AccessRefusedEvent", { reason: "noor may not", privileges: "A,B" }))).toBe("Noor may not. It needs A or B.");
  expect(callText(record("AccessRefusedEvent", { operation: "POST /x", eventSource: "OPENAPI", sourceIP: "192.0.2.7" }))).toBe("POST /x, by OpenAPI, from 192.0.2.7");
});

it("asks for what somebody may see, and for nothing where there is nothing", () => {
  expect(typesOf({ outcome: "refused", what: "any" }, false)).toEqual(["FailedLogInEvent"]);
  expect(typesOf({ outcome: "refused", what: "any" }, true)).toContain("AccessRefusedEvent");
  expect(typesOf({ outcome: "refused", what: "policies" }, true)).toEqual([]);
  expect(typesOf({ outcome: "all", what: "unheard of" }, true)).toEqual([]);
});

it("asks for the span, the person and the page", () => {
  const asked = searchOf({ outcome: "all", what: "policies", who: "urn:li:corpuser:noor", span: "hour", after: "x y" }, false, 3_600_001);
  expect(asked.path).toBe("/openapi/v1/events/audit/search?size=50&startTime=1&scrollId=x+y");
  expect(asked.body).toEqual({ eventTypes: ["CreatePolicyEvent", "UpdatePolicyEvent", "DeletePolicyEvent"], actorUrns: ["urn:li:corpuser:noor"] });
  expect(searchOf({ outcome: "all", what: "any", who: null, span: "all", after: null }, true, 5).path).toContain("startTime=0");
});
