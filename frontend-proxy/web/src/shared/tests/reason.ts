import { numberIn, textIn, textsIn } from "../../lib/answer";
import { counted, numberText } from "../../lib/text";
import type { ConditionFragment, FindingFragment } from "./run-on-asset.operations";
import { isFlag, propertyText } from "./property";
import { operatorOf } from "./vocabulary";

/** A condition of a test, as the service describes it. */
export interface Condition {
  path: string;
  property: string;
  operator?: string | null;
  values: readonly string[];
  match?: string | null;
  elements?: string | null;
  negated: boolean;
  oneOf?: string | null;
}

/** The values of an asset for a condition. */
export interface Finding {
  condition: Condition;
  met: boolean;
  decisive: boolean;
  found?: readonly string[] | null;
  foundTotal?: number | null;
  elements?: number | null;
}

/** A condition with the number of assets that fail it. */
export interface Reason {
  count: number;
  condition: Condition;
}

/** Reads a condition, which may be incomplete. */
export const conditionIn = (condition: ConditionFragment | null | undefined): Condition => ({
  path: textIn(condition?.path),
  property: textIn(condition?.property),
  operator: textIn(condition?.operator) || null,
  values: textsIn(condition?.values),
  match: textIn(condition?.match) || null,
  elements: textIn(condition?.elements) || null,
  negated: condition?.negated === true,
  oneOf: textIn(condition?.oneOf) || null,
});

/** Reads a finding, which may be incomplete. */
export const findingIn = ({ condition, met, decisive, found, foundTotal, elements }: FindingFragment): Finding => ({
  condition: conditionIn(condition),
  met: met === true,
  decisive: decisive === true,
  found: found ? textsIn(found) : null,
  foundTotal: numberIn(foundTotal) ?? null,
  elements: numberIn(elements) ?? null,
});

const listOf = (values: readonly string[]) => (values.length > 3 ? `${values.slice(0, 3).join(", ")} or ${numberText(values.length - 3)} more` : values.join(" or "));

const shares: Record<string, string> = { any: "At least one", all: "All", none: "None" };

const joined = (...words: string[]) => words.filter(Boolean).join(" ");

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// Tests for presence are unified, whether they use a flag or an operator.
function spoken({ property, operator, ...rest }: Condition): Condition {
  const there = isFlag(property) ? { is_true: "exists", is_false: "not_exists" }[operatorOf(operator ?? "")?.name ?? ""] : undefined;
  return { ...rest, property: propertyText(property), operator: there ?? operator ?? null };
}

/** Describes a condition, as "Tier is gold". */
export function ruleText(condition: Condition): string {
  const { property, operator, values, match, elements, negated } = spoken(condition);
  const text =
    elements !== null && elements !== undefined
      ? `${shares[match ?? "any"] ?? match} of ${property}: ${elements}`
      : joined(match === "all" ? "Each of" : match === "none" ? "None of" : "", property, operatorOf(operator ?? "")?.word ?? operator ?? "", listOf(values));
  return negated ? `Not: ${text}` : capital(text);
}

// The negated phrase for each operator.
const opposites: Record<string, string> = {
  not_exists: "is there",
  equals: "is not",
  not_equals: "is",
  contains: "does not contain",
  not_contains: "contains",
  starts_with: "does not start with",
  ends_with: "does not end with",
  regex: "does not match",
  not_regex: "matches",
  is_true: "is not true",
  is_false: "is not false",
  greater_than: "is not more than",
  greater_than_or_equal: "is less than",
  less_than: "is not less than",
  less_than_or_equal: "is more than",
  before: "is not before",
  after: "is not after",
};

// Reports whether a failed list condition has too few matching elements; otherwise it has too many.
const tooFew = ({ match, negated }: Condition) => (match === "none") === negated;

/** The reason why an asset fails a condition, as "No owners" or "Tier is not gold". */
export function reasonText(condition: Condition): string {
  const { property, operator, values, match, elements, negated } = spoken(condition);
  if (elements !== null && elements !== undefined) {
    return `${tooFew(condition) ? "Too few" : "Too many"} of ${property}: ${elements}`;
  }
  if (match !== null && match !== undefined) {
    return `${negated ? "" : "Not: "}${ruleText({ ...condition, negated: false })}`;
  }
  if (operator === "exists") {
    return negated ? capital(`${property} is there`) : `No ${property}`;
  }
  const word = negated ? operatorOf(operator ?? "")?.word : opposites[operator ?? ""];
  return word === undefined ? `${negated ? "" : "Not: "}${joined(property, operator ?? "", listOf(values))}` : capital(joined(property, word, listOf(values)));
}

/** The values of an asset for the property of a condition; empty if the reason already implies them. */
export function foundText({ condition, found, foundTotal, elements }: Finding): string {
  if (!found) {
    return "you may not see the value";
  }
  const total = foundTotal ?? found.length;
  const more = total - found.length;
  if (elements !== null && elements !== undefined) {
    const names = found.length > 0 ? `: ${found.join(", ")}${more > 0 ? ` and ${numberText(more)} more` : ""}` : "";
    const few = tooFew(condition);
    if (elements === 0 || total === 0) {
      return elements === 0 ? "there are none" : few ? "all do" : "none do";
    }
    return `${numberText(total)} of ${numberText(elements)} ${few ? "do not" : "do"}${names}`;
  }
  if (total === 0) {
    return condition.operator === "exists" || condition.operator === "not_exists" ? "" : "there is no value";
  }
  if (found.length === 0) {
    return counted(total, "value");
  }
  return `${found.map((value) => `“${value}”`).join(", ")}${more > 0 ? ` and ${numberText(more)} more` : ""}`;
}

/** The reason for a failure, with the values of the asset. */
export function failureText(finding: Finding): string {
  const found = foundText(finding);
  const why = reasonText(finding.condition);
  return found === "" ? why : `${why}, ${found.startsWith("“") ? "found " : ""}${found}`;
}

// Alternatives form one reason, because meeting one of them would be enough.
const inOne = (texts: readonly string[]) => texts.map((text, at) => (at > 0 ? text.replace(/^No /, "no ") : text)).join(", and ");

/**
 * The reasons why an asset fails a test, with its values. Only decisive conditions are included, and alternatives
 * form one reason.
 */
export function failuresIn(findings: readonly Finding[]): string[] {
  const out = new Map<string, string[]>();
  for (const finding of findings.filter(({ decisive }) => decisive)) {
    const key = finding.condition.oneOf ?? finding.condition.path;
    out.set(key, [...(out.get(key) ?? []), failureText(finding)]);
  }
  return [...new Set([...out.values()].map(inOne))];
}

/**
 * Failure reasons as text, most frequent first. Alternatives with equal counts form one reason, because meeting one
 * of them would be enough.
 */
export function reasonsIn(reasons: readonly Reason[]): { key: string; text: string; count: number }[] {
  const out = new Map<string, { key: string; texts: string[]; count: number }>();
  for (const { count, condition } of reasons) {
    const key = condition.oneOf ? `${condition.oneOf} ${count}` : condition.path;
    const known = out.get(key);
    if (known) {
      known.texts.push(reasonText(condition));
    } else {
      out.set(key, { key, texts: [reasonText(condition)], count });
    }
  }
  return [...out.values()].map(({ key, texts, count }) => ({ key, text: inOne(texts), count }));
}
