import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { Export } from "../../components/export";
import { FailIcon, PassIcon, TestsIcon } from "../../components/icons";
import { Badge, Bones, Empty, Failure, Section } from "../../components/parts";
import { Rows } from "../../components/rows";
import { change } from "../../lib/request";
import { counted, shortOf } from "../../lib/text";
import { useAsset } from "../../shared/asset/read";
import type { TabProps } from "../../shared/asset/tabs";
import { failuresIn } from "../../shared/tests/reason";
import { addressOf, verdictsIn } from "../../shared/tests/verdict";
import { RunOnAsset } from "../../shared/tests/run-on-asset.operations";
import { resultsIn, withGone, type Form, type Result } from "./assigned";
import { FormPart } from "./form-part";
import { governanceQuery } from "./read";

/** The governance tab of an asset: test results and forms. */
export default function GovernanceTab({ urn }: TabProps) {
  const { asset } = useAsset(urn);
  const { data, error, refetch } = useQuery(governanceQuery(urn));
  const [shown, setShown] = useState<{ of: readonly Form[]; forms: readonly Form[] }>({ of: [], forms: [] });
  if (data && data.forms !== shown.of) {
    setShown({ of: data.forms, forms: withGone(shown.forms, data.forms) });
  }
  if (error && !data) {
    return <Failure what="the tests and forms" error={error} onRetry={() => void refetch()} />;
  }
  if (!asset || !data) {
    return <Bones rows={8} what="the tests and forms" />;
  }
  return (
    <>
      <Tests urn={urn} kept={data.results} />
      {shown.forms.map((form) => (
        <FormPart key={form.urn} asset={asset} form={form} />
      ))}
      {data.forms.length === 0 && (
        <Section title="Forms">
          <p className="faint">No form asks for anything here.</p>
        </Section>
      )}
    </>
  );
}

interface Checked {
  results: readonly Result[];
  why: ReadonlyMap<string, readonly string[]>;
}

function Tests({ urn, kept }: { urn: string; kept: readonly Result[] }) {
  const { may } = useSession();
  const [checked, setChecked] = useState<Checked | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const views = may.viewTests || may.manageTests;
  const results = checked?.results ?? kept;
  const failing = results.filter(({ passes }) => !passes).length;
  const check = async () => {
    setBusy(true);
    setError(null);
    try {
      const { runTest } = await change(RunOnAsset, { input: { urn, push: false } });
      const why = verdictsIn(runTest).map(({ test, findings }) => [test, failuresIn(findings)] as const);
      setChecked({ results: resultsIn(runTest), why: new Map(why) });
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <Section
      title="Metadata tests"
      tools={
        <>
          {results.length > 0 && (
            <Export
              size="small"
              name={`${shortOf(urn)}-tests`}
              head={["Test", "Result", "Why", "URN"]}
              rows={async () => ({ rows: results.map((result) => [result.name, result.passes ? "passes" : "fails", checked?.why.get(result.urn)?.join("; "), result.urn]) })}
            />
          )}
          <Button size="small" busy={busy} reason={views ? null : "You need the privilege View Tests. Ask an administrator to add you to a policy that has it."} onClick={() => void check()}>
            Check now
          </Button>
        </>
      }
    >
      {error !== null && <Failure what="the results" error={error} onRetry={() => void check()} />}
      {results.length === 0 ? (
        <Empty icon={<TestsIcon size={20} stroke={1.5} aria-hidden />} title={checked ? "No test looks at it" : "No result is kept"}>
          {checked ? "Tests say themselves which assets they look at." : "Check now tells which tests it passes, and why it fails others."}
        </Empty>
      ) : (
        <>
          <p className="muted small" role="status">
            {failing === 0 ? `Passes ${counted(results.length, "test")}.` : `Fails ${failing} of ${counted(results.length, "test")}.`}{" "}
            {checked ? "As it is now; nothing was kept." : "As of the last run. Check now tells why."}
          </p>
          <Rows
            label="Metadata tests"
            head={["Test", "Result", "Why"]}
            items={results}
            keyOf={(result) => result.urn}
            row={(result) => (
              <>
                <td>
                  {views ? (
                    <Link className="name break" href={addressOf(result.urn)} dir="auto">
                      {result.name}
                    </Link>
                  ) : (
                    <span className="name break" dir="auto">
                      {result.name}
                    </span>
                  )}
                </td>
                <td data-label="Result">
                  {result.passes ? (
                    <Badge tone="ok" icon={<PassIcon size={14} stroke={1.5} aria-hidden />}>
                      Passes
                    </Badge>
                  ) : (
                    <Badge tone="bad" icon={<FailIcon size={14} stroke={1.5} aria-hidden />}>
                      Fails
                    </Badge>
                  )}
                </td>
                <td data-label="Why">{!result.passes && <Why reasons={checked?.why.get(result.urn)} />}</td>
              </>
            )}
          />
        </>
      )}
    </Section>
  );
}

function Why({ reasons }: { reasons: readonly string[] | undefined }) {
  if (!reasons || reasons.length === 0) {
    return <span className="faint">{reasons ? "Not told" : "Not checked yet"}</span>;
  }
  return (
    <ul>
      {reasons.map((reason) => (
        <li key={reason} className="break" dir="auto">
          {reason}
        </li>
      ))}
    </ul>
  );
}
