import { at, listIn, numberIn, textIn } from "./loose";
import { counted } from "./text";

// The health messages of the server are written for programs: they mention assertions and active incidents.
const verdict = /^(\d+) assertions? of (\d+)\s+(failing|could not be run)$/u;
const incidents = /^(\d+) active (incidents?)$/u;

/** The text for an entry of the asset health, such as "1 of 12 checks fails". Empty if the entry has no message. */
export function healthText(health: unknown): string {
  const message = textIn(at(health, "message"));
  const checks = verdict.exec(message);
  if (checks) {
    const [, some = "", all = "", what = ""] = checks;
    return `${some} of ${all} checks ${what === "failing" ? (some === "1" ? "fails" : "fail") : what}`;
  }
  if (at(health, "type") === "ASSERTIONS" && at(health, "status") === "PASS") {
    return passText(health);
  }
  return message.replace(incidents, "$1 open $2");
}

// Not every query requests the number of checks.
function passText(health: unknown): string {
  const passing = listIn(at(health, "latestAssertionStatusByType")).reduce<number>((sum, each) => sum + (numberIn(at(each, "statusCount")) ?? 0), 0);
  return passing > 0 ? `${counted(passing, "check")} ${passing === 1 ? "passes" : "pass"}` : "Checks pass";
}
