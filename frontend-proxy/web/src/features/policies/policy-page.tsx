import { Switch, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation, useParams } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { nameOf, useNames } from "../../shared/entities/entities";
import { BackIcon, SignOnIcon } from "../../components/icons";
import { Bones, Empty, Failure, Note, PageHead, Segments, When } from "../../components/parts";
import { toast } from "../../components/toast";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { titles, useChoices, type Choices } from "./choices";
import { explain, explainPath, questionOf, type Trial } from "./explain";
import styles from "./policies.module.css";
import { draftOf, infoOf, missing, nothing, urnsIn, type Draft, type Part } from "../../shared/policies/policy";
import { policyPath } from "../../shared/policies/policy-path";
import { fixed, whyNot } from "./refusal";
import { May, On, Who } from "./steps";
import { newUrn, readPolicy, writePolicy, type Stored } from "./stored";
import { PlainWords } from "./trial";
import type { Vocabulary } from "../../shared/policies/words";

// Loaded after the main content.
const TryIt = lazy(() => import("./try-it"));

// Rarely used.
const Delete = lazy(() => import("./delete"));

/** The page of a stored or new policy, with a description in plain words and a trial before saving. */
export default function PolicyPage() {
  const { urn: encoded = "new" } = useParams<{ urn: string }>();
  const urn = encoded === "new" ? null : decodeURIComponent(encoded);
  const choices = useChoices();
  const stored = useQuery({ queryKey: ["policies", "one", urn], enabled: urn !== null, refetchOnWindowFocus: false, queryFn: ({ signal }) => readPolicy(urn ?? "", signal) });
  const { may } = useSession();
  const refused = whyNot(may);
  if (refused) {
    return <Empty icon={<SignOnIcon size={20} stroke={1.5} aria-hidden />} title="You may not see policies">{refused}</Empty>;
  }
  const failed = choices.error ?? stored.error;
  if (failed) {
    return (
      <>
        <Back />
        <Head title="Policy" />
        <Failure what="the policy" error={failed} onRetry={() => void Promise.all([choices.refetch(), urn === null ? null : stored.refetch()])} />
      </>
    );
  }
  if (!choices.data || (urn !== null && stored.data === undefined)) {
    return <Bones rows={9} what="the policy" />;
  }
  if (urn !== null && stored.data === null) {
    return (
      <>
        <Back />
        <Head title="This policy is not there" />
        <Empty title={<span className="break">{urn}</span>}>It was deleted, or the address is mistyped.</Empty>
      </>
    );
  }
  return <Editor key={`${urn} ${stored.data?.version}`} urn={urn} stored={stored.data ?? null} choices={choices.data} />;
}

function Head({ title }: { title: string }) {
  useTitle("Policies");
  return <PageHead title={title} />;
}

const Back = () => (
  <p className={styles["path"]}>
    <Link href="/settings/policies">
      <BackIcon size={14} stroke={1.5} aria-hidden />
      Policies
    </Link>
  </p>
);

const service = "urn:li:corpuser:__datahub_system";
const untried: Trial = { person: null, privilege: null, asset: null };

function Editor({ urn, stored, choices }: { urn: string | null; stored: Stored | null; choices: Choices }) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const before = useMemo(() => (stored ? draftOf(stored.info) : nothing), [stored]);
  const [draft, setDraft] = useState<Draft>(before);
  const [trial, setTrial] = useState<Trial>(untried);
  const [saving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [deleting, setDeleting] = useState(false);
  const steps = useRef<HTMLFieldSetElement>(null);
  const editable = stored?.info.editable ?? true;
  const dirty = JSON.stringify(draft) !== JSON.stringify(before);
  const lacks = missing(draft);
  useTitle(before.name || "New policy", "Policies");
  useLeaveGuard(dirty && !saving);
  const update = (part: Partial<Draft>) => {
    setRefusal(null);
    setDraft((now) => ({ ...now, ...part }));
  };

  const info = stored?.info ?? null;
  const question = questionOf(draft, info, urn, draft.kind === "PLATFORM" ? { ...trial, asset: null } : trial);
  const [asked] = useDebouncedValue(JSON.stringify(question), 300);
  const answer = useQuery({
    queryKey: ["policies", "explained", asked],
    queryFn: ({ signal }) => explain(JSON.parse(asked) as typeof question, signal),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const found = answer.data?.conditions?.flatMap((condition) => condition.found ?? []) ?? [];
  const changedBy = stored?.changed?.by;
  const names = useNames([...urnsIn([draft]), ...found, ...(trial.person ? [trial.person] : []), ...(trial.asset ? [trial.asset] : []), ...(changedBy ? [changedBy] : [])]);
  const known: Vocabulary = { names: useKnown(names, choices), privileges: titles([...choices.platform, ...choices.asset]), types: titles(choices.types) };

  const lead = (part: Part) => {
    const step = steps.current?.querySelector<HTMLElement>(`[data-step="${part}"]`);
    step?.scrollIntoView({ block: "nearest" });
    step?.querySelector<HTMLElement>("input, select, button")?.focus();
  };
  const save = async () => {
    setSaving(true);
    setRefusal(null);
    const target = urn ?? newUrn();
    try {
      await writePolicy(target, infoOf(draft, info), stored?.version ?? null);
      await queries.invalidateQueries({ queryKey: ["policies"] });
      toast({ title: urn ? `${draft.name.trim()} was saved` : `${draft.name.trim()} was made`, text: draft.active ? "It holds for the next request." : "It is off." });
      if (!urn) {
        go(policyPath(target), { replace: true });
      }
    } catch (error) {
      setRefusal(error);
    } finally {
      setSaving(false);
    }
  };

  return (
    <>
      <Back />
      <PageHead
        title={before.name || "New policy"}
        actions={
          <div className={styles["acts"]}>
            <Active on={draft.active} editable={editable} onChange={(active) => update({ active })} />
            <CopyAs call={{ path: explainPath, method: "POST", body: question }} {...(urn ? { urn } : {})} />
            {urn && (
              <Button look="careful" reason={editable ? null : fixed} onClick={() => setDeleting(true)}>
                Delete
              </Button>
            )}
            {urn && dirty && <Button onClick={() => setDraft(before)}>Discard</Button>}
            <Button look="primary" busy={saving} reason={editable ? (lacks?.text ?? (urn && !dirty ? "Nothing is changed yet." : null)) : fixed} onClick={() => void save()}>
              {urn ? "Save changes" : "Make policy"}
            </Button>
          </div>
        }
      >
        {draft.kind === "PLATFORM" ? "Platform policy: about the catalog as a whole." : "Asset policy: about what is in the catalog."}{" "}
        {stored?.changed && (
          <>
            Last changed <When at={stored.changed.at} /> by {stored.changed.by === service ? "the service" : nameOf(known.names, stored.changed.by)}.
          </>
        )}
      </PageHead>
      {!editable && (
        <div className={styles["off"]}>
          <Note tone="info">{fixed} What it says can be read and tried here.</Note>
        </div>
      )}
      {refusal !== null && (
        <div className={styles["off"]}>
          <Refusal error={refusal} onReload={() => void queries.invalidateQueries({ queryKey: ["policies", "one", urn] })} />
        </div>
      )}
      <div className={styles["grid"]}>
        <fieldset className={styles["form"]} ref={steps} aria-label="Policy">
          <section className={styles["step"]} data-step="name">
            <span />
            <div>
              {!urn && (
                <Segments
                  label="Kind of policy"
                  value={draft.kind}
                  options={[
                    { value: "METADATA", label: "Asset policy" },
                    { value: "PLATFORM", label: "Platform policy" },
                  ]}
                  onChange={(kind) => update({ kind, privileges: [], owners: "none", criteria: [] })}
                />
              )}
              <div className={styles["fields"]}>
                <TextInput label="Name" value={draft.name} readOnly={!editable} maxLength={500} onChange={(event) => update({ name: event.currentTarget.value })} />
                <label className={styles["about"]}>
                  What it is for
                  <textarea rows={2} value={draft.description} readOnly={!editable} onChange={(event) => update({ description: event.currentTarget.value })} />
                </label>
              </div>
            </div>
          </section>
          <Who draft={draft} choices={choices} names={known.names} readOnly={!editable} onChange={update} />
          <May draft={draft} choices={choices} readOnly={!editable} onChange={update} />
          {draft.kind === "METADATA" && <On draft={draft} choices={choices} names={known.names} readOnly={!editable} onChange={update} />}
        </fieldset>
        <aside className={styles["aside"]} aria-label="What the policy says and does">
          <PlainWords draft={draft} known={known} answer={answer} onLead={lead} />
          <Fallback show={null}>
            <TryIt draft={draft} known={known} choices={choices} trial={trial} onChange={setTrial} answer={answer} />
          </Fallback>
        </aside>
      </div>
      {deleting && urn && (
        <Fallback show={null}>
          <Delete policy={{ urn, name: before.name }} onClose={() => setDeleting(false)} onDone={() => go("/settings/policies")} />
        </Fallback>
      )}
    </>
  );
}

// The choices already contain the names of roles and ownership types.
function useKnown(names: ReadonlyMap<string, string>, { roles, owners }: Choices) {
  return useMemo(() => new Map([...titles(roles), ...titles(owners), ...names]), [names, roles, owners]);
}

// The browser asks for confirmation before the user leaves with unsaved changes.
function useLeaveGuard(on: boolean) {
  useEffect(() => {
    if (!on) {
      return;
    }
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [on]);
}

function Active({ on, editable, onChange }: { on: boolean; editable: boolean; onChange: (on: boolean) => void }) {
  const control = (
    <Switch
      size="xs"
      label={on ? "On" : "Off"}
      aria-label="The policy is on"
      className={styles["switch"] ?? ""}
      checked={on}
      onChange={(event) => editable && onChange(event.currentTarget.checked)}
      {...(editable ? {} : { "aria-disabled": true })}
    />
  );
  return editable ? control : <Tooltip label={fixed}>{control}</Tooltip>;
}

function Refusal({ error, onReload }: { error: unknown; onReload: () => void }) {
  const problem = problemOf(error);
  if (problem.details.status === 412) {
    return (
      <Note
        tone="bad"
        title="Somebody else changed this policy meanwhile"
        actions={
          <Button size="small" onClick={onReload}>
            Drop my changes and show theirs
          </Button>
        }
      >
        Nothing was saved, so that neither is lost. What you wrote is still here.
      </Note>
    );
  }
  return (
    <Note tone="bad" title="The policy was not saved">
      {problem.message}
    </Note>
  );
}
