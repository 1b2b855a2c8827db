import { address } from "./base";
import { heard, missed } from "./connection";
import { Problem, type Reason } from "./problem";

/** The request timeout in ms. The server itself waits 120 s. */
const patience = 125_000;

/** A GraphQL operation with the types of its response and variables. toString returns the text that is sent. */
export interface Operation<Answer, Variables> {
  toString(): string;
  /** Carries the types only; the member does not exist at run time. */
  __apiType?: (variables: Variables) => Answer;
}

/** A partial or complete response, with the errors of the failed fields. */
export interface Answered<Answer> {
  data: Answer;
  problems: Problem[];
}

interface Sent {
  method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Sends a request to this server and returns the JSON response. Throws a Problem, or the abort error if the caller aborts. */
export async function send<Answer>(path: string, { method = "GET", body, signal }: Sent = {}): Promise<Answer> {
  const response = await transmit(path, { method, body, signal });
  const text = await response.text();
  const value = parse(text);
  if (!response.ok) {
    throw problemIn(response, value);
  }
  if (value === undefined && text !== "") {
    throw new Problem("failed", `The server answered ${path} without JSON.`, { status: response.status });
  }
  return value as Answer;
}

async function transmit(path: string, { method, body, signal }: Sent): Promise<Response> {
  const limit = AbortSignal.timeout(patience);
  let response: Response;
  try {
    response = await fetch(address(path), {
      method: method ?? "GET",
      credentials: "same-origin",
      headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    if (signal?.aborted) {
      throw error; // aborted by the caller
    }
    missed();
    throw new Problem("away", limit.aborted ? "The catalog did not answer within two minutes." : "The catalog cannot be reached.", { status: 0 });
  }
  if (response.status === 502 || response.status === 503 || response.status === 504) {
    missed();
  } else {
    heard();
  }
  return response;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemIn(response: Response, value: unknown): Problem {
  const details = {
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfter: Number(response.headers.get("retry-after")) || undefined,
  };
  return new Problem(reasonOf(response), messageIn(value) ?? `The server answered ${response.status}.`, details);
}

// A 401 can mean that the credential lacks a privilege; a new sign-in would not help then.
function reasonOf(response: Response): Reason {
  switch (response.status) {
    case 401:
      return /insufficient_scope/.test(response.headers.get("www-authenticate") ?? "") ? "refused" : "signed-out";
    case 403:
      return "refused";
    case 404:
      return "missing";
    case 429:
      return "throttled";
    case 502:
    case 503:
    case 504:
      return "away";
    default:
      return response.status < 500 ? "invalid" : "failed";
  }
}

// The proxy sends message; the service sends error, which is a string or contains one.
function messageIn(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) {
    return undefined;
  }
  const { message, error, errors } = value as { message?: unknown; error?: unknown; errors?: unknown };
  for (const candidate of [message, error, (Array.isArray(errors) ? errors[0] : undefined) as unknown]) {
    if (typeof candidate === "string" && candidate !== "") {
      return candidate;
    }
    const inner = messageIn(candidate);
    if (inner !== undefined) {
      return inner;
    }
  }
  return undefined;
}

interface GraphQLError {
  message?: unknown;
  path?: unknown;
  extensions?: { code?: unknown; classification?: unknown; missing?: unknown; path?: unknown } | null;
}

const reasons: Record<number, Reason> = { 400: "invalid", 401: "signed-out", 403: "refused", 404: "missing", 429: "throttled", 503: "away" };

/**
 * Runs an operation. Returns partial data together with the errors of the failed fields, so that one failed
 * field does not blank the page. Throws the first error if there is no data at all.
 */
export async function run<Answer, Variables>(
  operation: Operation<Answer, Variables>,
  variables?: Variables,
  signal?: AbortSignal,
): Promise<Answered<Answer>> {
  const query = operation.toString();
  const answer = await send<{ data?: Answer | null; errors?: GraphQLError[] | null }>("/api/graphql", {
    method: "POST",
    body: { query, variables: variables ?? {} },
    signal,
  });
  const problems = (answer?.errors ?? []).map(read);
  const data = answer?.data ?? undefined;
  if (data === undefined || (problems[0] && Object.values(data).every((value) => value === null || value === undefined))) {
    throw problems[0] ?? new Problem("failed", "The server answered without data.");
  }
  return { data, problems };
}

function read({ message, path, extensions }: GraphQLError): Problem {
  const code = typeof extensions?.code === "number" ? extensions.code : 0;
  const missing = Array.isArray(extensions?.missing) ? (extensions.missing as { privileges?: unknown }[]) : [];
  return new Problem(reasons[code] ?? (code >= 500 || code === 0 ? "failed" : "invalid"), typeof message === "string" ? message : "The server gave no reason.", {
    status: code,
    path: Array.isArray(path) ? path.join(".") : undefined,
    privileges: missing.flatMap(({ privileges }) => (Array.isArray(privileges) ? privileges.map(String) : [])),
  });
}

/** Runs a mutation and throws the first error, even if the response contains data. */
export async function change<Answer, Variables>(operation: Operation<Answer, Variables>, variables: Variables): Promise<Answer> {
  const { data, problems } = await run(operation, variables);
  if (problems[0]) {
    throw problems[0];
  }
  return data;
}
