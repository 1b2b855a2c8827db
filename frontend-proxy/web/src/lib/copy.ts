import { address } from "./base";

/** A request of a page in a form that users can repeat: a GraphQL operation, or a path with a body. */
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

// Quotes a text with single quotes for a shell.
const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A shell command. It reads the token from a variable, so that the token does not end up in the shell history. */
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

/** An operation for the explorer, with its variables as a comment. */
export function graphqlText(call: Call): string {
  const { query = "", variables } = call;
  return variables && Object.keys(variables).length > 0 ? `# Variables: ${JSON.stringify(variables)}\n${query}` : query;
}

/** A Python program that needs no packages. */
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
