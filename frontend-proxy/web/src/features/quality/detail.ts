import { listIn, numberIn, textIn, textsIn } from "../../lib/answer";
import { counted, words } from "../../lib/text";
import { pairsIn, runsIn, wordOf, type Pair, type Run } from "../../shared/quality/quality";
import type { CheckDetailFragment, CheckRunsQuery, OperandsFragment } from "./quality.operations";

/** The definition and the runs of a check in its panel. */
export interface CheckDetail {
  note: string;
  link: string;
  facts: readonly Pair[];
  logic: string;
  runs: readonly Run[];
  total: number;
}

const operators: Readonly<Record<string, string>> = {
  BETWEEN: "between",
  LESS_THAN: "less than",
  LESS_THAN_OR_EQUAL_TO: "at most",
  GREATER_THAN: "more than",
  GREATER_THAN_OR_EQUAL_TO: "at least",
  EQUAL_TO: "equal to",
  NOT_EQUAL_TO: "not equal to",
  NULL: "empty",
  NOT_NULL: "not empty",
  CONTAIN: "contains",
  END_WITH: "ends with",
  START_WITH: "begins with",
  REGEX_MATCH: "matches",
  IN: "one of",
  NOT_IN: "none of",
  IS_TRUE: "true",
  IS_FALSE: "false",
};

type Definition = NonNullable<CheckDetailFragment["info"]>;
type Demand = { operator: string | null; parameters: OperandsFragment | null };

// Describes the expected value, as "between 1 and 5".
function demandIn(demand: Demand | null | undefined): string {
  const operator = textIn(demand?.operator);
  const operands = demand?.parameters;
  const [least, most] = [textIn(operands?.minValue?.value), textIn(operands?.maxValue?.value)];
  const given = textIn(operands?.value?.value) || [least, most].filter(Boolean).join(" and ");
  const word = wordOf(operators, operator === "_NATIVE_" ? "" : operator).toLowerCase();
  return [word, given].filter(Boolean).join(" ");
}

const known = (key: string, value: string): Pair[] => (value ? [{ key, value }] : []);

function scheduleIn(schedule: NonNullable<Definition["freshnessAssertion"]>["schedule"] | undefined): string {
  const cron = schedule?.cron;
  const fixed = schedule?.fixedInterval;
  const every = numberIn(fixed?.multiple);
  return textIn(cron?.cron) ? `${textIn(cron?.cron)} ${textIn(cron?.timezone)}`.trim() : every === undefined ? "" : `every ${counted(every, textIn(fixed?.unit).toLowerCase() || "time")}`;
}

function factsIn(info: Definition | null | undefined): Pair[] {
  const { datasetAssertion: dataset, volumeAssertion: volume, sqlAssertion: sql, fieldAssertion: field, schemaAssertion: schema, customAssertion: custom } = info ?? {};
  const metric = field?.fieldMetricAssertion;
  const demanding = [dataset, volume?.rowCountTotal, volume?.rowCountChange, sql, field?.fieldValuesAssertion, metric, custom];
  const told = textIn(dataset?.aggregation) || textIn(custom?.aggregation);
  return [
    ...known("Measures", textIn(metric?.metric) ? words(textIn(metric?.metric)) : textIn(volume?.type) ? words(textIn(volume?.type)) : told === "_NATIVE_" ? "" : words(told)),
    ...known("Demands", demanding.map(demandIn).find(Boolean) ?? ""),
    ...known("Due", scheduleIn(info?.freshnessAssertion?.schedule)),
    ...known("Columns", textsIn(listIn(schema?.fields).map(({ path }) => path)).slice(0, 50).join(", ")),
    ...known("Match", words(textIn(schema?.compatibility))),
    ...known("In its tool", textIn(dataset?.nativeType) || textIn(custom?.nativeType)),
    ...pairsIn(dataset?.nativeParameters),
    ...pairsIn(custom?.nativeParameters),
    ...pairsIn(info?.customProperties),
  ];
}

/** Reads a check from a response. */
export function detailIn(answer: CheckRunsQuery): CheckDetail {
  const check = answer.assertion;
  const info = check?.info;
  const runs = runsIn(check);
  return {
    note: textIn(info?.note),
    link: textIn(info?.externalUrl),
    facts: factsIn(info),
    logic: textIn(info?.sqlAssertion?.statement) || textIn(info?.datasetAssertion?.logic) || textIn(info?.customAssertion?.logic),
    runs,
    total: numberIn(check?.runEvents?.total) ?? runs.length,
  };
}
