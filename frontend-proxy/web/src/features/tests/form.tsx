import { Checkbox, MultiSelect, TagsInput } from "@mantine/core";
import { useId, type ReactNode } from "react";

import { Button } from "../../components/button";
import { AddIcon, CloseIcon } from "../../components/icons";
import { Note } from "../../components/parts";
import {
  actionsChanges, problemsIn, problemsOfActions, rowsChange, typed,
  type Action, type Change, type Check, type Problem, type Read, type Rows, type Verdict,
} from "./definition";
import { PropertyField } from "./property-field";
import styles from "./tests.module.css";
import { actions as knownActions, operatorOf, operators, types } from "../../shared/tests/vocabulary";

interface Props {
  found: Read;
  problems: readonly Problem[];
  onChange: (changes: readonly Change[]) => void;
  /** Switches to the text. */
  onText: () => void;
}

/** The form for a definition. Parts that it cannot represent show a notice and keep their text. */
export function FormOf({ found, problems, onChange, onText }: Props) {
  if (found.form === null) {
    return (
      <section className={styles["block"]}>
        <Beyond onText={onText}>The form cannot show this definition. {found.reason} The text holds.</Beyond>
      </section>
    );
  }
  const { form } = found;
  const [aboutTypes, others] = [problems.filter(({ path }) => /^on(\.types.*)?$/.test(path)), problems.filter(({ path }) => !/^(on|rules|actions|every)(?=$|[.[])/.test(path))];
  return (
    <>
      {others.length > 0 && <Problems of={others} />}
      <section className={styles["block"]} aria-label="Look at">
        <h2>Look at</h2>
        {form.types === null ? (
          <Beyond onText={onText}>The types are written in a way that the form does not show.</Beyond>
        ) : (
          <div className={styles["line"]}>
            <span className={styles["join"]}>all</span>
            <div className={styles["types"]}>
              <MultiSelect
                aria-label="Types of assets"
                data={[...new Set([...Object.keys(types), ...form.types])].map((value) => ({ value, label: types[value] ?? value }))}
                value={form.types}
                onChange={(value) => onChange([{ path: ["on", "types"], value }])}
                searchable
                hidePickedOptions
                error={aboutTypes.length > 0}
              />
            </div>
            <span className={styles["join"]}>where</span>
          </div>
        )}
        {aboutTypes.length > 0 && <Problems of={aboutTypes} />}
        <Conditions label="Condition" rows={form.conditions} problems={problemsIn(problems, "conditions", form.conditions)} onText={onText} onChange={(rows) => onChange(rowsChange("conditions", rows, found))} />
      </section>
      <section className={styles["block"]} aria-label="Each one must">
        <h2>Each one must</h2>
        <Conditions label="Rule" rows={form.rules} problems={problemsIn(problems, "rules", form.rules)} onText={onText} onChange={(rows) => onChange(rowsChange("rules", rows, found))} />
      </section>
      <section className={styles["block"]} aria-label="Then">
        <h2>Then</h2>
        {form.actions === null ? (
          <Beyond onText={onText}>These actions go beyond rows.</Beyond>
        ) : (
          <Actions actions={form.actions} undo={form.undo} problems={problemsOfActions(problems, form.actions)} onChange={(actions, undo) => onChange(actionsChanges(actions, undo))} />
        )}
      </section>
      <Every value={form.every} problems={problems.filter(({ path }) => path === "every")} onChange={(every) => onChange([{ path: ["every"], value: every === "" ? undefined : every }])} />
    </>
  );
}

function Beyond({ children, onText }: { children: ReactNode; onText: () => void }) {
  return (
    <Note
      title="Written in the text"
      actions={
        <Button size="small" onClick={onText}>
          Edit the text
        </Button>
      }
    >
      {children}
    </Note>
  );
}

function Problems({ of, id }: { of: readonly Problem[]; id?: string }) {
  return (
    <ul className={styles["wrong"]} id={id}>
      {of.map(({ path, message }) => (
        <li key={`${path} ${message}`} className="bad small break">
          {message}
        </li>
      ))}
    </ul>
  );
}

interface ConditionsProps {
  label: string;
  rows: Rows | null;
  problems: Map<number, Problem[]>;
  onChange: (rows: Pick<Rows, "joiner" | "checks">) => void;
  onText: () => void;
}

function Conditions({ label, rows, problems, onChange, onText }: ConditionsProps) {
  const all = problems.get(-1) ?? [];
  if (rows === null) {
    return (
      <>
        <Beyond onText={onText}>These conditions go beyond rows: they nest, negate, or look at elements of a list.</Beyond>
        {all.length > 0 && <Problems of={all} />}
      </>
    );
  }
  const { joiner, checks } = rows;
  const set = (next: readonly Check[]) => onChange({ joiner, checks: [...next] });
  return (
    <>
      {checks.map((check, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no name, and none of them keeps a state
        <div key={row}>
          <CheckRow
            label={`${label} ${row + 1}`}
            check={check}
           
            wrong={problems.get(row) ?? []}
            join={
              row === 0 ? null : row === 1 ? (
                <select aria-label={`How the ${label.toLowerCase()}s are joined`} value={joiner} onChange={(event) => onChange({ joiner: event.currentTarget.value as Rows["joiner"], checks })}>
                  <option value="and">and</option>
                  <option value="or">or</option>
                </select>
              ) : (
                joiner
              )
            }
            onChange={(to) => set(checks.map((one, at) => (at === row ? to : one)))}
            onRemove={() => set(checks.filter((_, at) => at !== row))}
          />
        </div>
      ))}
      {all.length > 0 && <Problems of={all} />}
      <div className={styles["add"]}>
        <Button size="small" look="quiet" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} onClick={() => set([...checks, { property: "", operator: "exists", values: [] }])}>
          Add a {label.toLowerCase()}
        </Button>
      </div>
    </>
  );
}

interface CheckRowProps {
  label: string;
  check: Check;
  wrong: readonly Problem[];
  join: ReactNode;
  onChange: (check: Check) => void;
  onRemove: () => void;
}

function CheckRow({ label, check, wrong, join, onChange, onRemove }: CheckRowProps) {
  const operator = operatorOf(check.operator);
  const wanted = operator?.values ?? "many";
  const texts = check.values.map(String);
  const id = useId();
  const described = wrong.length > 0 ? { "aria-describedby": id, "aria-invalid": true } : {};
  return (
    <>
      <div className={styles["line"]} data-row role="group" aria-label={label} {...(wrong.length > 0 ? { "aria-describedby": id } : {})}>
        <span className={styles["join"]}>{join}</span>
        <PropertyField label={`${label}, property`} value={check.property} onChange={(property) => onChange({ ...check, property })} wrong={wrong.length > 0} />
        <select
          aria-label={`${label}, operator`}
          value={operator?.name ?? check.operator}
          onChange={(event) => {
            const next = operatorOf(event.currentTarget.value);
            const count = next?.values ?? "many";
            onChange({ ...check, operator: event.currentTarget.value, values: count === 0 ? [] : count === 1 ? check.values.slice(0, 1) : check.values });
          }}
        >
          {operators.map(({ name, word }) => (
            <option key={name} value={name}>
              {word}
            </option>
          ))}
          {!operator && <option value={check.operator}>{check.operator || "choose"}</option>}
        </select>
        {wanted === 0 && texts.length === 0 ? (
          <span />
        ) : wanted === 1 && texts.length < 2 ? (
          <input aria-label={`${label}, value`} value={texts[0] ?? ""} onChange={(event) => onChange({ ...check, values: event.currentTarget.value === "" ? [] : typed([event.currentTarget.value], check) })} placeholder="value" autoComplete="off" {...described} />
        ) : (
          <TagsInput aria-label={`${label}, values`} value={texts} onChange={(values) => onChange({ ...check, values: typed(values, check) })} splitChars={[]} placeholder={texts.length === 0 ? "value, then Enter" : ""} error={wrong.length > 0} />
        )}
        <Button size="small" look="quiet" label={`Remove ${label.toLowerCase()}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={onRemove} />
      </div>
      {wrong.length > 0 && <Problems of={wrong} id={id} />}
    </>
  );
}

interface ActionsProps {
  actions: readonly Action[];
  undo: boolean;
  problems: Map<number, Problem[]>;
  onChange: (actions: readonly Action[], undo: boolean) => void;
}

function Actions({ actions, undo, problems, onChange }: ActionsProps) {
  const set = (row: number, to: Action) => onChange(actions.map((one, at) => (at === row ? to : one)), undo);
  const all = problems.get(-1) ?? [];
  return (
    <>
      {actions.map((action, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- rows have no name, and none of them keeps a state
        <div key={row}>
          <ActionRow label={`Action ${row + 1}`} action={action} onChange={(to) => set(row, to)} onRemove={() => onChange(actions.filter((_, at) => at !== row), undo)} />
          {problems.has(row) && <Problems of={problems.get(row) ?? []} />}
        </div>
      ))}
      {all.length > 0 && <Problems of={all} />}
      <div className={`row wrap ${styles["add"]}`}>
        <Button size="small" look="quiet" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} onClick={() => onChange([...actions, { verdict: "failing", type: "ADD_TAGS", params: { tags: [] } }], undo)}>
          Add an action
        </Button>
        {(actions.length > 0 || undo) && <Checkbox size="xs" label="Take it back when the verdict changes" checked={undo} onChange={(event) => onChange(actions, event.currentTarget.checked)} />}
      </div>
    </>
  );
}

function ActionRow({ label, action, onChange, onRemove }: { label: string; action: Action; onChange: (action: Action) => void; onRemove: () => void }) {
  const known = knownActions[action.type];
  const takes = known?.takes ?? [];
  const unknown = Object.keys(action.params).filter((name) => !takes.some((one) => one.name === name));
  const set = (name: string, value: unknown) => {
    const params = { ...action.params };
    if (value === "") {
      delete params[name];
    } else {
      params[name] = value;
    }
    onChange({ ...action, params });
  };
  return (
    <div className={styles["action"]} role="group" aria-label={label}>
      <select aria-label={`${label}, when`} value={action.verdict} onChange={(event) => onChange({ ...action, verdict: event.currentTarget.value as Verdict })}>
        <option value="passing">pass</option>
        <option value="failing">fail</option>
      </select>
      <div className={styles["does"]}>
        <select aria-label={`${label}, what`} value={action.type} onChange={(event) => onChange({ ...action, type: event.currentTarget.value, params: {} })}>
          {Object.entries(knownActions).map(([type, { word }]) => (
            <option key={type} value={type}>
              {word}
            </option>
          ))}
          {!known && <option value={action.type}>{action.type}</option>}
        </select>
        {takes.map(({ name, word, many, optional }) => {
          const value = action.params[name];
          const texts = Array.isArray(value) ? value.map(String) : value === undefined || value === null ? [] : [String(value)];
          return many ? (
            <TagsInput key={name} aria-label={`${label}, ${word.toLowerCase()}`} value={texts} onChange={(next) => set(name, next)} splitChars={[]} placeholder={texts.length === 0 ? `${word}, then Enter` : ""} />
          ) : (
            <input key={name} aria-label={`${label}, ${word.toLowerCase()}`} value={texts[0] ?? ""} onChange={(event) => set(name, event.currentTarget.value)} placeholder={optional ? `${word}, if wanted` : word} autoComplete="off" />
          );
        })}
        {unknown.length > 0 && <span className="muted small">With {unknown.join(", ")}, see the text.</span>}
      </div>
      <Button size="small" look="quiet" label={`Remove ${label.toLowerCase()}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={onRemove} />
    </div>
  );
}

function Every({ value, problems, onChange }: { value: string; problems: readonly Problem[]; onChange: (value: string) => void }) {
  const id = useId();
  return (
    <section className={styles["block"]} aria-label="When">
      <h2>When</h2>
      <div className="row wrap">
        <label htmlFor={id}>Besides each day, every</label>
        <input id={id} className={styles["every"]} value={value} onChange={(event) => onChange(event.currentTarget.value)} placeholder="6h" autoComplete="off" aria-invalid={problems.length > 0} />
      </div>
      {problems.length > 0 && <Problems of={problems} />}
    </section>
  );
}
