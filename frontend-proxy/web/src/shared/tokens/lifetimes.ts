import { textsIn } from "../../lib/answer";
import { counted } from "../../lib/text";
import type { TokenLifetimesQuery } from "./create.operations";

const day = 86_400_000;

/** A lifetime for a new token: its length in ms (null for no expiry) and the input of the service. */
export interface Lifetime {
  id: string;
  name: string;
  ms: number | null;
  input: { durationIso: string } | { duration: "NO_EXPIRY" };
}

const never: Lifetime = { id: "NO_EXPIRY", name: "No end", ms: null, input: { duration: "NO_EXPIRY" } };
const usual = 30 * day;
const units = [365 * day, 30 * day, 7 * day, day, 3_600_000, 60_000, 1000];

/** The length of an ISO 8601 duration in ms, with months and years as the server counts them; null for invalid text. */
export function periodMs(text: string): number | null {
  const parts = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/iu.exec(text)?.slice(1);
  return parts?.reduce((ms, count, index) => ms + Number(count ?? 0) * (units[index] ?? 0), 0) || null;
}

function lengthText(ms: number): string {
  const [length, unit] = ms % day === 0 ? [ms / day, "day"] : ms % 3_600_000 === 0 ? [ms / 3_600_000, "hour"] : [ms / 60_000, "minute"];
  return `in ${counted(Math.round(length), unit)}`;
}

/** The lifetimes that the server allows: 30 days first, then ascending, no expiry last. */
export function lifetimesOf(config: NonNullable<TokenLifetimesQuery["appConfig"]>["authConfig"] | undefined): Lifetime[] {
  const rank = ({ ms }: Lifetime) => (ms === usual ? 0 : (ms ?? Infinity));
  const periods = new Map<number, Lifetime>();
  for (const text of textsIn(config?.allowedAccessTokenDurations)) {
    const ms = periodMs(text);
    if (ms && !periods.has(ms)) {
      periods.set(ms, { id: text, name: lengthText(ms), ms, input: { durationIso: text } });
    }
  }
  return [...periods.values(), ...(config?.allowNoExpiry ? [never] : [])].toSorted((a, b) => rank(a) - rank(b));
}
