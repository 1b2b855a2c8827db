import { listIn, numberIn, textIn } from "./answer";
import { counted } from "./text";

// The health messages of the server are written for programs: they mention assertions and active incidents.
const verdict = /^(\d+) assertions? of (\d+)\s+(failing|could not be run)$/u;
const incidents = /^(\d+) active (incidents?)$/u;

/** An entry of the asset health in a response. Not every query requests the number of checks. */
export interface Health {
  readonly type?: string | null | undefined;
  readonly status?: string | null | undefined;
  readonly message?: string | null | undefined;
  readonly latestAssertionStatusByType?: readonly ({ readonly statusCount?: number | null | undefined } | null)[] | null | undefined;
}

/** The text for an entry of the asset health, such as "1 of 12 checks fails". Empty if the entry has no message. */
export function healthText({ type, status, message: given, latestAssertionStatusByType }: Health): string {
  const message = textIn(given);
  const checks = verdict.exec(message);
  if (checks) {
    const [, some = "", all = "", what = ""] = checks;
    return `${some} of ${all} checks ${what === "failing" ? (some === "1" ? "fails" : "fail") : what}`;
  }
  if (type === "ASSERTIONS" && status === "PASS") {
    return passText(latestAssertionStatusByType);
  }
  return message.replace(incidents, "$1 open $2");
}

function passText(counts: Health["latestAssertionStatusByType"]): string {
  const passing = listIn(counts).reduce((sum, { statusCount }) => sum + (numberIn(statusCount) ?? 0), 0);
  return passing > 0 ? `${counted(passing, "check")} ${passing === 1 ? "passes" : "pass"}` : "Checks pass";
}
