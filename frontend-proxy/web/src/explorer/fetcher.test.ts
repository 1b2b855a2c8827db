import { buildSchema, graphql } from "graphql";
import { expect, it } from "vitest";

import { AccessLog } from "./access";
import { newFetcher } from "./fetcher";

const address = new URL("http://catalog.example/base/api/graphql");
const schema = buildSchema("type Query { hello(name: String): String }");
const rootValue = { hello: ({ name }: { name?: string }) => `hello ${name ?? "you"}` };

// A stub of the server that records requests.
function server() {
  const requests: { url: string; init: RequestInit }[] = [];
  const send: typeof fetch = async (url, init = {}) => {
    requests.push({ url: String(url), init });
    const body = JSON.parse(String(init.body));
    const result = await graphql({ schema, rootValue, source: body.query, variableValues: body.variables, operationName: body.operationName });
    return Response.json(result);
  };
  return { requests, send };
}

const answering = (response: Response): typeof fetch => () => Promise.resolve(response);

it("sends an operation as JSON with the cookie and gives its answer", async () => {
  const { requests, send } = server();
  const access = new AccessLog();
  const run = newFetcher(address, access, send);
  expect(await run({ query: "query q($n: String) { __typename hello(name: $n) }", operationName: "q", variables: { n: "me" } })).toEqual({
    data: { __typename: "Query", hello: "hello me" },
  });
  expect(access.current()).toBe("granted");
  const [sent] = requests;
  expect(sent?.url).toBe(address.href);
  expect(sent?.init).toMatchObject({ method: "POST", credentials: "same-origin", headers: { "content-type": "application/json" } });
  expect(sent?.init.headers).not.toHaveProperty("authorization");
});

it("leaves out what was not given", async () => {
  const { requests, send } = server();
  await newFetcher(address, new AccessLog(), send)({ query: "{ __typename }", operationName: null });
  expect(JSON.parse(String(requests[0]?.init.body))).toEqual({ query: "{ __typename }" });
});

it("leaves out the name of an operation that is not in the document any more", async () => {
  const { requests, send } = server();
  expect(await newFetcher(address, new AccessLog(), send)({ query: "{ __typename }", operationName: "me" })).toEqual({
    data: { __typename: "Query" },
  });
  expect(JSON.parse(String(requests[0]?.init.body))).toEqual({ query: "{ __typename }" });
});

it("sends typed headers, but keeps the content type a session needs", async () => {
  const { requests, send } = server();
  await newFetcher(address, new AccessLog(), send)({ query: "{ __typename }" }, { headers: { Authorization: "abc", "Content-Type": "text/plain" } });
  expect(requests[0]?.init.headers).toMatchObject({ authorization: "Bearer abc", "content-type": "application/json" });
});

it("gives a refusal as it came and notes it", async () => {
  const access = new AccessLog();
  const refusal = { errors: [{ message: "who are you?" }] };
  const run = newFetcher(address, access, answering(Response.json(refusal, { status: 401, headers: { "www-authenticate": "Bearer" } })));
  expect(await run({ query: "{ __typename }" })).toEqual(refusal);
  expect(access.current()).toBe("signed-out");
});

it("tells a refused token from a missing one", async () => {
  const access = new AccessLog();
  const run = newFetcher(address, access, () => Promise.resolve(Response.json({}, { status: 401 })));
  await run({ query: "{ __typename }" }, { headers: { authorization: "Bearer old" } });
  expect(access.current()).toBe("refused");
});

it.each([
  ["a page", new Response("<h1>no</h1>", { status: 502 }), /answered 502 without JSON: <h1>no/],
  ["nothing", new Response("", { status: 500 }), /answered 500 without JSON: nothing/],
  ["a number", new Response("7"), /answered 200 without JSON: 7/],
  ["a long text", new Response("x".repeat(9999), { status: 500 }), /x{400}…$/],
])("says so when the answer is %s", async (_, response, want) => {
  await expect(newFetcher(address, new AccessLog(), answering(response))({ query: "{ __typename }" })).rejects.toThrow(want);
});

it("says so when there is no connection", async () => {
  const access = new AccessLog();
  const run = newFetcher(address, access, () => Promise.reject(new TypeError("refused")));
  await expect(run({ query: "{ __typename }" })).rejects.toThrow("cannot be reached: refused");
  expect(access.current()).toBe("unreachable");
});
