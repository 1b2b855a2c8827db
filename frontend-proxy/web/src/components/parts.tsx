import { useEffect, useId, useState, type ReactNode } from "react";

import type { Problem } from "../lib/problem";
import { problemOf } from "../lib/problem";
import { useNow } from "../lib/now";
import { initials, privilegeName } from "../lib/text";
import { agoText, dateText, exactText } from "../lib/time";
import { Button, type Look } from "./button";
import { FailIcon, InfoIcon, LockIcon, PassIcon, SearchIcon, WarnIcon } from "./icons";
import styles from "./parts.module.css";
import { StillLoading } from "./still-loading";

export type Tone = "plain" | "ok" | "warn" | "bad" | "info";

/** The head of a page: title, one line of description, and actions. */
export function PageHead({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles["head"]}>
      <div>
        <h1>{title}</h1>
        {children && <p>{children}</p>}
      </div>
      {actions && <div className={styles["acts"]}>{actions}</div>}
    </div>
  );
}

/** A section of a page, below a horizontal rule. */
export function Section({ title, tools, children }: { title: string; tools?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles["section"]} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {tools && <span className="row end">{tools}</span>}
      </header>
      {children}
    </section>
  );
}

/** The search fields and filters above a table. */
export function Tools({ children }: { children: ReactNode }) {
  return <div className={styles["tools"]}>{children}</div>;
}

/** A status as a word; the colour repeats the meaning. */
export function Badge({ tone = "plain", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={styles["badge"]} data-tone={tone}>
      {icon}
      {children}
    </span>
  );
}

/** The initials of a user or a group. They are hidden from screen readers because the name is shown beside them. */
export function Letters({ name, shape = "person", size = "small" }: { name: string; shape?: "person" | "group"; size?: "small" | "large" }) {
  return (
    <span className={styles["letters"]} data-shape={shape} data-size={size} aria-hidden>
      {initials(name)}
    </span>
  );
}

/** A user or a group with initials and name. */
export function Person({ name, shape = "person" }: { name: string; shape?: "person" | "group" }) {
  return (
    <span className={styles["person"]}>
      <Letters name={name} shape={shape} />
      <span className="clip" title={name}>
        {name}
      </span>
    </span>
  );
}

const signs = { plain: InfoIcon, ok: PassIcon, warn: WarnIcon, bad: FailIcon, info: InfoIcon } as const;

/** A message about the content beside it. */
export function Note({ tone = "plain", title, children, actions }: { tone?: Tone; title?: string; children?: ReactNode; actions?: ReactNode }) {
  const Sign = signs[tone];
  return (
    <div className={styles["note"]} data-tone={tone} {...(tone === "bad" ? { role: "alert" } : {})}>
      <Sign size={16} stroke={1.5} aria-hidden />
      <div>
        {title && <h3>{title}</h3>}
        {children && <p>{children}</p>}
        {actions && <div className={styles["acts"]}>{actions}</div>}
      </div>
    </div>
  );
}

/** The empty state: states that there is no content, and suggests an action. */
export function Empty({ icon, title, children, actions }: { icon?: ReactNode; title: ReactNode; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className={styles["empty"]}>
      {icon}
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      {actions && <div className={styles["acts"]}>{actions}</div>}
    </div>
  );
}

const widths = ["34%", "22%", "86%", "42%", "18%", "70%", "52%", "27%"];

/** A skeleton that is shown during loading. After ten seconds it reports the delay and offers to cancel. */
export function Bones({ rows = 3, what = "this" }: { rows?: number; what?: string }) {
  return (
    <div className={styles["bones"]} role="status">
      <span className="sr">Loading {what}</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} className={styles["bone"]} style={{ width: widths[row % widths.length] }} />
      ))}
      <StillLoading />
    </div>
  );
}

/** The previous content, dimmed while its replacement is loading. */
export function Kept({ old, children }: { old: boolean; children: ReactNode }) {
  return (
    <div aria-busy={old}>
      {old && (
        <div role="status">
          <StillLoading />
        </div>
      )}
      <div className={old ? styles["old"] : ""}>{children}</div>
    </div>
  );
}

/** An error message in place of content that could not be loaded, with the reason and a retry button. */
export function Failure({ what, error, onRetry }: { what: string; error: unknown; onRetry?: () => void }) {
  const problem = problemOf(error);
  if (problem.reason === "refused") {
    return (
      <Empty icon={<LockIcon size={20} stroke={1.5} aria-hidden />} title={`You may not see ${what}`}>
        {privilegesText(problem) || problem.message} Ask an administrator to add you to a policy that allows it.
      </Empty>
    );
  }
  if (problem.reason === "cancelled") {
    return (
      <Note title={`Loading ${what} was cancelled`} actions={onRetry && <Button size="small" onClick={onRetry} ref={focusIfLost}>Try again</Button>}>
        {problem.message}
      </Note>
    );
  }
  return (
    <Note
      tone="bad"
      title={`${what.charAt(0).toUpperCase()}${what.slice(1)} could not be loaded`}
      actions={
        <>
          {onRetry && (
            <Button size="small" onClick={onRetry}>
              Try again
            </Button>
          )}
          <CopyButton quiet label="Copy details" text={() => detailsText(problem)} />
        </>
      }
    >
      {problem.message}
    </Note>
  );
}

// The cancel button was removed and the focus with it; the retry button takes the focus.
const focusIfLost = (button: HTMLButtonElement | null) => {
  if (button && (document.activeElement === null || document.activeElement === document.body)) {
    button.focus();
  }
};

const detailsText = (problem: Problem) =>
  [
    problem.message,
    problem.details.status ? `status: ${problem.details.status}` : "",
    problem.details.requestId ? `request: ${problem.details.requestId}` : "",
    problem.details.path ? `path: ${problem.details.path}` : "",
    `time: ${new Date().toISOString()}`,
    `page: ${location.pathname}`,
  ]
    .filter(Boolean)
    .join("\n");

interface CopyProps {
  text: string | (() => string);
  label?: string;
  quiet?: boolean;
  look?: Look;
  size?: "small" | "medium";
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label = "Copy", quiet = false, look = quiet ? "quiet" : "plain", size = "small" }: CopyProps) {
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) {
      return;
    }
    const timer = setTimeout(() => setCopied(null), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <Button
      size={size}
      look={look}
      onClick={() => {
        copyText(typeof text === "string" ? text : text()).then(
          () => setCopied(true),
          () => setCopied(false),
        );
      }}
    >
      <span aria-live="polite">{copied === null ? label : copied ? "Copied" : "Not copied: select it"}</span>
    </Button>
  );
}

/** Copies a text to the clipboard. Without TLS, browsers offer only the copy command for a selection. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) {
    return navigator.clipboard.writeText(text);
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "sr";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) {
    throw new Error("the browser has no clipboard");
  }
}

/** Code with a copy button. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles["code"]}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls it by keys */}
      <pre tabIndex={0} role="region" aria-label={label}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

interface SegmentsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; count?: number | undefined }[];
  onChange: (value: Value) => void;
  size?: "small" | "medium";
}

/** A choice among a few options, all of them visible. */
export function Segments<Value extends string>({ label, value, options, onChange, size = "medium" }: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div className={styles["segments"]} role="radiogroup" aria-label={label} data-size={size}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
          {option.count !== undefined && <span className={styles["count"]}>{option.count.toLocaleString("en-US")}</span>}
        </label>
      ))}
    </div>
  );
}

/** A search field that filters a list during typing. */
export function Find({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <div className={styles["find"]}>
      <SearchIcon size={16} stroke={1.5} aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && value !== "") {
            event.stopPropagation();
            onChange("");
          }
        }}
      />
    </div>
  );
}

/** A proportion as a bar. The value is always stated in text beside it. */
export function Meter({ share, tone = "plain" }: { share: number; tone?: Tone | "accent" }) {
  return (
    <span className={styles["meter"]} data-tone={tone} aria-hidden>
      <span style={{ width: `${Math.max(0, Math.min(1, share)) * 100}%` }} />
    </span>
  );
}

/** A time: relative if it is recent, otherwise the date. */
export function When({ at, relative = true }: { at: number; relative?: boolean }) {
  const now = useNow();
  return (
    <time dateTime={new Date(at).toISOString()} title={exactText(at)} className="nowrap num">
      {relative ? agoText(at, now) : dateText(at)}
    </time>
  );
}

const privilegesText = ({ details: { privileges = [] } }: Problem) => (privileges.length === 0 ? "" : `It needs the privilege ${privileges.map(privilegeName).join(" or ")}.`);
