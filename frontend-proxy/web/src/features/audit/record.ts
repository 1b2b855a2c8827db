import { nameOf, type Names } from "../../shared/entities/entities";
import { send } from "../../lib/request";
import { numberText, shortOf } from "../../lib/text";

/** A record of the audit log in a response. Members that do not apply are absent. */
export interface AuditRecord {
  type: string;
  timestamp: number;
  actorUrn: string;
  entityUrn?: string;
  aspectName?: string;
  eventSource?: string;
  sourceIP?: string;
  userAgent?: string;
  loginSource?: string;
  loginDenialReason?: string;
  requestId?: string;
  tokenId?: string;
  runId?: string;
  operation?: string;
  reason?: string;
  privileges?: string;
  /** The number of equal events that the record combines; absent for one. */
  count?: number;
}

export interface AuditPage {
  nextScrollId?: string;
  total: number;
  usageEvents: { rawUsageEvent?: AuditRecord }[];
}

/** The search criteria. The address of the page holds all of them. */
export interface Sought {
  outcome: string;
  what: string;
  who: string | null;
  /** The name of the time span. */
  span: string;
  /** The scroll id where the page begins. */
  after: string | null;
}

const hour = 3_600_000;

/** The available time spans. */
export const spans: readonly { value: string; name: string; ms: number | null }[] = [
  { value: "hour", name: "Last hour", ms: hour },
  { value: "day", name: "Last 24 hours", ms: 24 * hour },
  { value: "week", name: "Last 7 days", ms: 7 * 24 * hour },
  { value: "month", name: "Last 30 days", ms: 30 * 24 * hour },
  { value: "all", name: "All that is kept", ms: null },
];

interface Kind {
  type: string;
  group: string;
  refused?: boolean;
  /** Visible only to operators of the system. */
  ours?: boolean;
}

const kinds: readonly Kind[] = [
  { type: "LogInEvent", group: "sign-ins" },
  { type: "FailedLogInEvent", group: "sign-ins", refused: true },
  { type: "LogOutEvent", group: "sign-ins", ours: true },
  { type: "EndSessionsEvent", group: "sign-ins", ours: true },
  { type: "FailedSignUpEvent", group: "sign-ins", refused: true, ours: true },
  { type: "FailedPasswordResetEvent", group: "sign-ins", refused: true, ours: true },
  { type: "CreateUserEvent", group: "users" },
  { type: "UpdateUserEvent", group: "users" },
  { type: "CreatePolicyEvent", group: "policies" },
  { type: "UpdatePolicyEvent", group: "policies" },
  { type: "DeletePolicyEvent", group: "policies" },
  { type: "CreateAccessTokenEvent", group: "tokens" },
  { type: "RevokeAccessTokenEvent", group: "tokens" },
  { type: "CredentialRefusedEvent", group: "tokens", refused: true, ours: true },
  { type: "RotateTokenKeyEvent", group: "tokens", ours: true },
  { type: "CreateIngestionSourceEvent", group: "ingestion" },
  { type: "UpdateIngestionSourceEvent", group: "ingestion" },
  { type: "UpdateAspectEvent", group: "assets" },
  { type: "DeleteEntityEvent", group: "assets" },
  { type: "AccessRefusedEvent", group: "rights", refused: true, ours: true },
  { type: "ThrottledEvent", group: "rights", refused: true, ours: true },
  { type: "TakeBackupEvent", group: "service", ours: true },
  { type: "EventsLostEvent", group: "service", ours: true },
];

/** The available groups of event types. */
export const groups: readonly { value: string; name: string; ours?: boolean }[] = [
  { value: "any", name: "Anything" },
  { value: "sign-ins", name: "Sign-ins" },
  { value: "users", name: "Users" },
  { value: "policies", name: "Policies" },
  { value: "tokens", name: "Access tokens" },
  { value: "ingestion", name: "Ingestion sources" },
  { value: "assets", name: "Assets" },
  { value: "rights", name: "Missing privileges", ours: true },
  { value: "service", name: "The service", ours: true },
];

/** The event types to request; empty if the user may see none of them. */
export const typesOf = ({ outcome, what }: Pick<Sought, "outcome" | "what">, operates: boolean): string[] =>
  kinds
    .filter(({ group, refused = false, ours = false }) => (operates || !ours) && (what === "any" || group === what) && (outcome === "all" || refused === (outcome === "refused")))
    .map(({ type }) => type);

export const pageSize = 50;

/** The search as a request. */
export function searchOf(sought: Sought, operates: boolean, now: number) {
  const ms = spans.find(({ value }) => value === sought.span)?.ms;
  const start = ms === null ? 0 : now - (ms ?? 24 * hour);
  const query = new URLSearchParams({ size: String(pageSize), startTime: String(start), ...(sought.after ? { scrollId: sought.after } : {}) });
  return {
    path: `/openapi/v1/events/audit/search?${query.toString()}`,
    method: "POST" as const,
    body: { eventTypes: typesOf(sought, operates), ...(sought.who ? { actorUrns: [sought.who] } : {}) },
  };
}

/** Searches for records, newest first. */
export async function search(sought: Sought, operates: boolean, signal?: AbortSignal): Promise<{ records: AuditRecord[]; total: number; next: string | null }> {
  const { path, method, body } = searchOf(sought, operates, Date.now());
  if (body.eventTypes.length === 0) {
    return { records: [], total: 0, next: null };
  }
  const page = await send<AuditPage>(path, { method, body, signal });
  return { records: page.usageEvents.flatMap(({ rawUsageEvent }) => (rawUsageEvent ? [rawUsageEvent] : [])), total: page.total, next: page.nextScrollId ?? null };
}

// The maximum number of exported records.
const mostExported = 10_000;

/** Searches for all records, newest first, up to the limit of an export. */
export async function everyRecord(sought: Sought, operates: boolean, signal?: AbortSignal): Promise<{ records: AuditRecord[]; total: number }> {
  const records: AuditRecord[] = [];
  let after: string | null = null;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a page begins where the one before it ended
    const page: Awaited<ReturnType<typeof search>> = await search({ ...sought, after }, operates, signal);
    records.push(...page.records);
    after = page.next;
    if (after === null || records.length >= mostExported) {
      return { records, total: page.total };
    }
  }
}

/** A record as table cells. The user name of a failed sign-in is masked unless it belongs to a known user. */
export function cellsOf(record: AuditRecord, names: Names) {
  const who = whoText(record, names);
  return [
    new Date(record.timestamp).toISOString(),
    record.type,
    isRefused(record.type) ? "refused" : "done",
    who.known ? record.actorUrn : who.name,
    who.known ? record.entityUrn : undefined,
    record.aspectName,
    wayText(record),
    callText(record),
    record.tokenId,
    record.runId,
    record.requestId,
  ];
}

/** Reports whether the current user operates the system and therefore sees more records. */
export async function readOperates(signal?: AbortSignal): Promise<boolean> {
  const { allowed } = await send<{ allowed: boolean }>("/openapi/v1/access/explain?privilege=MANAGE_SYSTEM_OPERATIONS", { signal });
  return allowed;
}

/** A key for a record. */
export const keyOfRecord = ({ type, timestamp, actorUrn, entityUrn, aspectName, requestId }: AuditRecord) =>
  [timestamp, type, actorUrn, entityUrn, aspectName, requestId].join(" ");

export const isRefused = (type: string) => kinds.find((each) => each.type === type)?.refused ?? type.startsWith("Failed");

// An unknown user name can be a password that was typed into the wrong field.
const masked = (text: string) => `${[...text].slice(0, 2).join("")}•••`;

/** The actor of a record. Only the first letters of an unknown user name are shown. */
export function whoText({ type, actorUrn }: AuditRecord, names: Names): { name: string; known: boolean } {
  if (actorUrn === "urn:li:corpuser:__datahub_system") {
    return { name: "the service", known: true };
  }
  const named = names.get(actorUrn);
  if (named !== undefined || !/^Failed|^CredentialRefused/.test(type)) {
    return { name: named ?? shortOf(actorUrn), known: true };
  }
  return { name: "someone", known: false };
}

/** A sentence without its subject: the text before the entity, and the entity with its URN, if any. */
export interface Deed {
  text: string;
  thing?: { urn: string; name: string } | undefined;
  /** A technical name, shown as code. */
  code?: string | undefined;
}

const userAspects: Record<string, string> = {
  corpUserInfo: "changed the profile of",
  corpUserEditableInfo: "changed the profile of",
  corpUserStatus: "changed the state of",
  corpUserCredentials: "changed the password of",
  corpUserSettings: "changed the settings of",
  groupMembership: "changed the groups of",
  nativeGroupMembership: "changed the groups of",
  roleMembership: "changed the role of",
  status: "removed, or brought back,",
};

const phrases: Record<string, string> = {
  LogInEvent: "signed in",
  LogOutEvent: "signed out",
  FailedSignUpEvent: "tried to sign up",
  FailedPasswordResetEvent: "tried to reset a password",
  CreateUserEvent: "made the user",
  CreatePolicyEvent: "made the policy",
  UpdatePolicyEvent: "changed the policy",
  DeletePolicyEvent: "deleted the policy",
  CreateAccessTokenEvent: "generated an access token",
  RevokeAccessTokenEvent: "revoked an access token",
  CredentialRefusedEvent: "brought a token or password that is not valid",
  RotateTokenKeyEvent: "replaced the key that signs tokens",
  CreateIngestionSourceEvent: "made the ingestion source",
  UpdateIngestionSourceEvent: "changed the ingestion source",
  DeleteEntityEvent: "deleted",
  ThrottledEvent: "asked more often than is allowed",
  TakeBackupEvent: "took a backup",
  EventsLostEvent: "lost changes before they were recorded",
};

/** Describes the action of a record. An unknown type keeps its own name. */
export function deedOf(record: AuditRecord, names: Names): Deed {
  const { type, entityUrn, aspectName, actorUrn, operation, count = 1 } = record;
  const thing = entityUrn && entityUrn !== actorUrn ? { urn: entityUrn, name: nameOf(names, entityUrn) } : undefined;
  const often = count > 1 ? `, ${numberText(count)} times` : "";
  switch (type) {
    case "FailedLogInEvent":
      return names.has(actorUrn) ? { text: `gave a wrong password${often}` } : { text: `tried to sign in${often}, as`, code: masked(shortOf(actorUrn)) };
    case "UpdateUserEvent":
      return { text: userAspects[aspectName ?? ""] ?? "changed", thing: thing ?? { urn: actorUrn, name: "themselves" } };
    case "CreateAccessTokenEvent":
    case "RevokeAccessTokenEvent":
      return { text: phrases[type] ?? "" };
    case "EndSessionsEvent":
      return thing ? { text: "ended all sessions of", thing } : { text: "signed out everywhere" };
    case "UpdateAspectEvent":
      return { text: "wrote", code: aspectName, thing };
    case "AccessRefusedEvent":
      return { text: `lacked a privilege${often}${operation ? " for" : ""}`, code: operation, thing };
    default:
      return { text: (phrases[type] ?? words(type)) + often, thing };
  }
}

const words = (type: string) => type.replace(/Event$/, "").replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

const sources: Record<string, string> = { GRAPHQL: "GraphQL", OPENAPI: "OpenAPI", RESTLI: "Rest.li" };

const logins: Record<string, string> = {
  passwordLogin: "password",
  passwordReset: "reset link",
  signUpLinkLogin: "invitation",
  ssoLogin: "single sign-on",
  guestLogin: "as a guest",
  fallbackLogin: "password",
};

/** The source of a request: sign-in method, token or client. */
export function wayText({ type, tokenId, userAgent = "", eventSource = "", loginSource = "", actorUrn }: AuditRecord): string {
  if (type.startsWith("Failed") || type === "CredentialRefusedEvent") {
    return "not signed in";
  }
  if (loginSource) {
    return logins[loginSource] ?? loginSource;
  }
  if (userAgent.startsWith("Mozilla/")) {
    return "browser";
  }
  if (tokenId) {
    return eventSource ? `access token, ${sources[eventSource] ?? eventSource}` : "access token";
  }
  return sources[eventSource] ?? (eventSource || (actorUrn === "urn:li:corpuser:__datahub_system" ? "by itself" : ""));
}

const denials: Record<string, string> = { SUSPENDED: "The user is suspended.", SOFT_DELETED: "The user is removed.", NOT_ACTIVE: "The user is not active." };

/** The reason for the outcome; empty if there is none. */
export function whyText({ reason, privileges, loginDenialReason }: AuditRecord): string {
  const needed = privileges ? `It needs ${privileges.split(",").join(" or ")}.` : "";
  const denied = loginDenialReason ? (denials[loginDenialReason] ?? loginDenialReason) : "";
  const said = reason ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}${/[.!?]$/.test(reason) ? "" : "."}` : "";
  return [said, denied, needed].filter(Boolean).join(" ");
}

/** The called operation, the source address and the client. */
export function callText({ operation, eventSource, sourceIP, userAgent }: AuditRecord): string {
  const parts = [operation, eventSource && `by ${sources[eventSource] ?? eventSource}`, sourceIP && `from ${sourceIP}`, userAgent && `with ${userAgent}`];
  return parts.filter(Boolean).join(", ");
}

const sameDay = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const otherDay = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** Formats the time of an event: time only for today, otherwise with the day. */
export function momentText(at: number, now: number): string {
  return new Date(at).toDateString() === new Date(now).toDateString() ? sameDay.format(at) : otherDay.format(at);
}
