import type { QueryClient } from "@tanstack/react-query";

import { ClockIcon, FailIcon, InfoIcon, PassIcon, WarnIcon } from "../../components/icons";
import { When } from "../../components/parts";
import { toast } from "../../components/toast";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import { durationText } from "../../lib/time";
import type { Execution } from "./execution";
import { RunIngestionSource } from "./ingestion.operations";

export const needsIngestion = "You need the privilege Manage Metadata Ingestion. Ask an administrator to add you to a policy that has it.";

/** The paths of the pages of a source and a run. */
export const sourceAddress = (urn: string) => `/ingestion/sources/${encodeURIComponent(urn)}`;
export const runAddress = (urn: string) => `/ingestion/runs/${encodeURIComponent(urn)}`;

/** The polling interval for unfinished runs, in ms. */
export const soon = 5000;

const signs = { ok: PassIcon, bad: FailIcon, warn: WarnIcon, plain: InfoIcon } as const;

/** The state of a run: an icon and a word. */
export function StateOf({ run: { tone, state, ended } }: { run: Execution }) {
  const Sign = ended ? signs[tone] : ClockIcon;
  return (
    <span className={`row ${tone === "plain" ? "muted" : tone}`}>
      <Sign size={16} stroke={1.5} aria-hidden />
      <span className="break">{state}</span>
    </span>
  );
}

/** The start time of a run, or the request time if it has not started. */
export function BeganAt({ run: { startedAt, askedAt } }: { run: Execution }) {
  const at = startedAt ?? askedAt;
  return at === undefined ? <span className="faint">Not told</span> : <When at={at} />;
}

/** The duration of a run. */
export function Took({ run: { took, ended } }: { run: Execution }) {
  return took === undefined ? <span className="faint">{ended ? "Not told" : "Goes on"}</span> : <>{durationText(took)}</>;
}

/** Requests a run of a source and reports the result in a notification. */
export async function runNow(source: { urn: string; name: string }, queries: QueryClient) {
  try {
    await change(RunIngestionSource, { source: source.urn });
    toast({ title: `A run of ${source.name} was asked for`, text: "It begins when an executor takes it." });
  } catch (error) {
    toast({ tone: "bad", title: `No run of ${source.name} was asked for`, text: problemOf(error).message });
  }
  await queries.invalidateQueries({ queryKey: ["ingestion"] });
}
