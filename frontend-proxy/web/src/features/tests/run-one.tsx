import { Checkbox, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useState } from "react";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Badge, Note } from "../../components/parts";
import { FailIcon, PassIcon } from "../../components/icons";
import { rowEntitiesIn } from "../../lib/found";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { foundText, ruleText, type Finding } from "../../shared/tests/reason";
import { examplesIn } from "./check";
import { assetName, type Listed } from "./result";
import { verdictsIn, type Verdict } from "../../shared/tests/verdict";
import { RunOnAsset } from "../../shared/tests/run-on-asset.operations";
import { FindAsset } from "./tests.operations";
import styles from "./tests.module.css";

/** Runs tests on one asset. Results are stored only on request. */
export default function RunOne({ test, tests, dirty, onClose }: { test: string; tests: readonly Listed[]; dirty: boolean; onClose: () => void }) {
  const { may } = useSession();
  const [asset, setAsset] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([test]);
  const [keep, setKeep] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [verdicts, setVerdicts] = useState<{ of: string; kept: boolean; list: Verdict[] } | null>(null);
  const form = useId();
  const urn = asset.trim();
  const reason = urn === "" ? "Choose an asset first." : chosen.length === 0 ? "Choose a test first." : null;
  const evaluate = async () => {
    setBusy(true);
    setError(null);
    setVerdicts(null);
    try {
      const { runTest } = await change(RunOnAsset, { input: { urn, push: keep, ...(chosen.length === tests.length ? {} : { testUrns: [...chosen] }) } });
      setVerdicts({ of: urn, kept: keep, list: verdictsIn(runTest) });
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <Dialog
      title="Run on one asset"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" form={form} busy={busy} reason={reason}>
            Run
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === null && !busy) {
            void evaluate();
          }
        }}
      >
        {dirty && <Note tone="info">The test runs as it is saved, without what you have changed.</Note>}
        <AssetField value={asset} onChange={setAsset} />
        <fieldset className={styles["choices"]}>
          <legend>Tests</legend>
          <div className="row">
            <Button size="small" look="quiet" onClick={() => setChosen(tests.map((one) => one.urn))}>
              All {tests.length}
            </Button>
            <Button size="small" look="quiet" onClick={() => setChosen([test])}>
              This one
            </Button>
            <span className="muted small end" role="status">
              {counted(chosen.length, "test")} chosen
            </span>
          </div>
          <div className={styles["tests"]}>
            {tests.slice(0, 100).map((one) => (
              <Checkbox
                key={one.urn}
                size="xs"
                label={one.name || one.urn}
                checked={chosen.includes(one.urn)}
                onChange={(event) => setChosen(event.currentTarget.checked ? [...chosen, one.urn] : chosen.filter((each) => each !== one.urn))}
              />
            ))}
          </div>
        </fieldset>
        <Switch
          label="Keep results"
          description={may.manageTests ? "They are written to the asset, and actions are carried out." : "You need the privilege Manage Tests to keep them."}
          checked={keep}
          disabled={!may.manageTests}
          onChange={(event) => setKeep(event.currentTarget.checked)}
        />
      </form>
      {error !== null && (
        <Note tone="bad" title="The tests were not run">
          {problemOf(error).message}
        </Note>
      )}
      {verdicts && <Verdicts {...verdicts} tests={tests} />}
    </Dialog>
  );
}

function Verdicts({ of, kept, list, tests }: { of: string; kept: boolean; list: readonly Verdict[]; tests: readonly Listed[] }) {
  const names = new Map(tests.map(({ urn, name }) => [urn, name]));
  return (
    <section aria-label="Results" role="status">
      <h3 className="break">{assetName(of)}</h3>
      {list.length === 0 ? (
        <p className="muted">None of these tests is about this asset.</p>
      ) : (
        <ul className={styles["verdicts"]}>
          {list.map(({ test, passes, findings }) => (
            <li key={test}>
              <div className="row">
                <Badge tone={passes ? "ok" : "bad"} icon={passes ? <PassIcon size={13} stroke={1.5} aria-hidden /> : <FailIcon size={13} stroke={1.5} aria-hidden />}>
                  {passes ? "passes" : "fails"}
                </Badge>
                <span className="break">{names.get(test) || test}</span>
              </div>
              {findings.length > 0 && (
                <ul className={styles["rules"]} aria-label={`Rules of ${names.get(test) || test}`}>
                  {findings.map((finding) => (
                    <Rule key={finding.condition.path} finding={finding} />
                  ))}
                </ul>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="faint small">{kept ? "The results were kept." : "Nothing was kept."}</p>
    </section>
  );
}

// If one of several rules is sufficient, an unmet one is neutral.
function Rule({ finding }: { finding: Finding }) {
  const { condition, met, decisive } = finding;
  const found = foundText(finding);
  return (
    <li className="small" data-met={met} data-decisive={decisive}>
      {met ? <PassIcon size={14} stroke={1.5} role="img" aria-label="met" /> : <FailIcon size={14} stroke={1.5} role="img" aria-label={decisive ? "not met" : "not met, and need not be"} />}
      <span className="break">
        {ruleText(condition)}
        {condition.oneOf ? <span className="faint">, one of several</span> : null}
      </span>
      <span className="muted break end">{found || "there is no value"}</span>
    </li>
  );
}

function AssetField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [sought, setSought] = useState("");
  const id = useId();
  useEffect(() => {
    const timer = setTimeout(() => setSought(value.trim()), 200);
    return () => clearTimeout(timer);
  }, [value]);
  const isUrn = sought.startsWith("urn:li:");
  const { data } = useQuery({
    queryKey: ["find-asset", sought],
    queryFn: async ({ signal }) => examplesIn(rowEntitiesIn((await run(FindAsset, { query: sought }, signal)).data.searchAcrossEntities?.searchResults)),
    enabled: sought.length > 1 && !isUrn,
    retry: false,
  });
  return (
    <div className={styles["asset"]}>
      <label htmlFor={id}>Asset</label>
      <input id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)} placeholder="Name, or URN" autoComplete="off" spellCheck={false} data-autofocus />
      {!isUrn && sought.length > 1 && data && (
        <ul aria-label="Assets found">
          {data.map((entity) => (
            <li key={entity.urn}>
              <button type="button" onClick={() => onChange(entity.urn)} title={entity.urn}>
                <span className="clip">{entity.name}</span>
                <span className="faint small nowrap end">{entity.type}</span>
              </button>
            </li>
          ))}
          {data.length === 0 && <li className="muted small">No asset matches.</li>}
        </ul>
      )}
    </div>
  );
}
