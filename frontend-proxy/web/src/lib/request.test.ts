import { afterEach, describe, expect, it, vi } from "vitest";

import { connection } from "./connection";
import { Problem, type Reason } from "./problem";
import { change, run, send, type Operation } from "./request";

const operation = "{ a b }" as unknown as Operation<{ a: number | null; b: number | null }, Record<string, never>>;

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const sent = vi.fn<typeof fetch>(() => Promise.resolve(new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers })));
  vi.stubGlobal("fetch", sent);
  return sent;
}

const refused = async (asked: Promise<unknown>): Promise<Problem> => {
  try {
    await asked;
  } catch (error) {
    if (error instanceof Problem) {
      return error;
    }
    throw error;
  }
  throw new Error("it was not refused");
};

afterEach(() => vi.unstubAllGlobals());

describe("a request", () => {
  it("sends JSON to this server with the session, and gives what comes", async () => {
    const fetched = answer(200, { value: 1 });
    await expect(send("/api/gms/x", { method: "POST", body: { a: 1 } })).resolves.toEqual({ value: 1 });
    const [address, sent] = fetched.mock.calls[0] ?? [];
    expect(address).toBe("/api/gms/x");
    expect(sent).toMatchObject({ method: "POST", credentials: "same-origin", body: '{"a":1}', headers: { "content-type": "application/json" } });
  });

  it("tells a session that ended from a privilege that is missing", async () => {
    const reasons: [number, Record<string, string>, Reason][] = [
      [401, {}, "signed-out"],
      [401, { "www-authenticate": 'Bearer error="invalid_token"' }, "signed-out"],
      [401, { "www-authenticate": 'Bearer error="insufficient_scope"' }, "refused"],
      [403, {}, "refused"],
      [404, {}, "missing"],
      [429, { "retry-after": "30" }, "throttled"],
      [503, {}, "away"],
      [500, {}, "failed"],
      [400, {}, "invalid"],
    ];
    for (const [status, headers, reason] of reasons) {
      answer(status, { error: "why" }, headers);
      expect([status, (await refused(send("/x"))).reason]).toEqual([status, reason]);
    }
  });

  it("gives the server's words, wherever they stand", async () => {
    for (const body of [{ error: "why" }, { message: "why" }, { error: { message: "why" } }, { errors: [{ message: "why" }] }]) {
      answer(400, body, { "x-request-id": "R1" });
      const problem = await refused(send("/x"));
      expect(problem.message).toBe("why");
      expect(problem.details.requestId).toBe("R1");
    }
    answer(418, "<p>no JSON</p>");
    expect((await refused(send("/x"))).message).toBe("The server answered 418.");
  });

  it("notes when the catalog goes and comes back", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("failed to fetch")));
    expect((await refused(send("/x"))).reason).toBe("away");
    expect(connection().state).toBe("away");
    answer(200, {});
    await send("/x");
    expect(connection().state).toBe("up");
  });
});

describe("an operation", () => {
  it("gives what came in part, with the problems of the rest", async () => {
    answer(200, { data: { a: 1, b: null }, errors: [{ message: "no b", path: ["b"], extensions: { code: 403, missing: [{ privileges: ["VIEW_B"] }] } }] });
    const { data, problems } = await run(operation, {});
    expect(data).toEqual({ a: 1, b: null });
    expect(problems.map(({ reason, message, details }) => [reason, message, details.path, details.privileges])).toEqual([["refused", "no b", "b", ["VIEW_B"]]]);
  });

  it("fails when nothing came, and when a change was refused", async () => {
    answer(200, { data: { a: null, b: null }, errors: [{ message: "none", extensions: { code: 404 } }] });
    expect((await refused(run(operation, {}))).reason).toBe("missing");
    answer(200, { data: null, errors: [{ message: "bad", extensions: { classification: "ValidationError" } }] });
    expect((await refused(run(operation, {}))).message).toBe("bad");
    answer(200, { data: { a: 1, b: null }, errors: [{ message: "no b" }] });
    expect((await refused(change(operation, {}))).message).toBe("no b");
    answer(200, {});
    expect((await refused(run(operation, {}))).message).toBe("The server answered without data.");
  });
});
