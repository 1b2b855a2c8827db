import type { State } from "../lib/line";
import { FailIcon, PassIcon, RemovedIcon, WarnIcon } from "./icons";

const signs = { ok: PassIcon, bad: FailIcon, warn: WarnIcon } as const;

/** The state of an asset: an icon and a word. */
export function StateText({ state }: { state: State | undefined }) {
  if (!state) {
    return (
      <span className={"row small nowrap faint"}>
        <RemovedIcon size={14} stroke={1.5} aria-hidden />
        No checks
      </span>
    );
  }
  const Sign = signs[state.tone];
  return (
    <span className={`row small ${state.tone}`}>
      <Sign size={14} stroke={1.5} aria-hidden />
      {state.text}
    </span>
  );
}
