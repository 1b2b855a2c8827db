import { FailIcon, InfoIcon, PassIcon, WarnIcon } from "../../components/icons";
import { Badge } from "../../components/parts";
import type { Incident, Outcome } from "./quality";

const signs = { passed: [PassIcon, "ok"], failed: [FailIcon, "bad"], error: [WarnIcon, "warn"], open: [InfoIcon, "faint"] } as const satisfies Record<Outcome, unknown>;

/** The icon of an outcome. The word appears beside it. */
export function OutcomeSign({ outcome, size = 16 }: { outcome: Outcome; size?: 14 | 16 }) {
  const [Icon, tone] = signs[outcome];
  return <Icon size={size} stroke={1.5} className={tone} aria-hidden />;
}

/** The state of an incident as a badge. */
export function IncidentBadge({ incident: { active } }: { incident: Incident }) {
  return active ? (
    <Badge tone="bad" icon={<FailIcon size={12} stroke={1.8} aria-hidden />}>
      Open
    </Badge>
  ) : (
    <Badge tone="ok" icon={<PassIcon size={12} stroke={1.8} aria-hidden />}>
      Resolved
    </Badge>
  );
}
