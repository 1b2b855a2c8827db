import { ClockIcon, FailIcon, InfoIcon, PassIcon, WarnIcon } from "../../components/icons";
import type { Run } from "./runs";

const signs = { ok: PassIcon, bad: FailIcon, warn: WarnIcon, plain: InfoIcon } as const;

/** The state of a run: an icon and a word. */
export function RunState({ run: { state, attempt } }: { run: Run }) {
  const Sign = state.text === "Running" ? ClockIcon : signs[state.tone];
  return (
    <span className={`row ${state.tone === "plain" ? "muted" : state.tone}`}>
      <Sign size={16} stroke={1.5} aria-hidden />
      <span className="break">{state.text}</span>
      {attempt > 1 && <span className="faint small nowrap">try {attempt}</span>}
    </span>
  );
}
