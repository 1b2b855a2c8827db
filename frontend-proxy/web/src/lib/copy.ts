import { address } from "./base";

/** A request of this server that a page makes, for people to repeat: an operation of GraphQL, or a path with a body. */
export type Call =
  | { query: string; variables?: Record<string, unknown>; path?: never; body?: never; method?: never }
  | { path: string; method: "GET" | "POST" | "PUT" | "DELETE"; body?: unknown; query?: never; variables?: never };

interface Plain {
  method: string;
  path: string;
  body: unknown;
}

const plain = (call: Call): Plain =>
  call.query === undefined
    ? { method: call.method, path: call.path, body: call.body }
    : { method: "POST", path: "/api/graphql", body: { query: call.query, ...(call.variables ? { variables: call.variables } : {}) } };

// A text between single quotes of a shell.
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A command for a shell. The token comes from a variable, so that none lands in a history. */
export function curlText(call: Call, origin: string): string {
  const { method, path, body } = plain(call);
  const parts = [`curl -s ${quoted(origin + address(path))}`, `-H "Authorization: Bearer $CARTULARY_TOKEN"`];
  if (method !== "GET" && !(method === "POST" && body !== undefined)) {
    parts.push(`-X ${method}`);
  }
  if (body !== undefined) {
    parts.push('-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body))}`);
  }
  return parts.join(" \\\n  ");
}

/** An operation with its variables as a comment, for the explorer. */
export function graphqlText(call: Call): string {
  const { query = "", variables } = call;
  return variables && Object.keys(variables).length > 0 ? `# Variables: ${JSON.stringify(variables)}\n${query}` : query;
}

/** A program for Python without packages. */
export function pythonText(call: Call, origin: string): string {
  const { method, path, body } = plain(call);
  return [
    "import json, os, urllib.request",
    "",
    `request = urllib.request.Request(${JSON.stringify(origin + address(path))}, method=${JSON.stringify(method)})`,
    'request.add_header("Authorization", "Bearer " + os.environ["CARTULARY_TOKEN"])',
    ...(body === undefined
      ? ["print(json.load(urllib.request.urlopen(request)))"]
      : [
          'request.add_header("Content-Type", "application/json")',
          `body = json.loads(${JSON.stringify(JSON.stringify(body))})`,
          "print(json.load(urllib.request.urlopen(request, json.dumps(body).encode())))",
        ]),
    "",
  ].join("\n");
}
