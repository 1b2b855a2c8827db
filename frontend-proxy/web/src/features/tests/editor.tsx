import { TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { BackIcon, DeleteIcon, RunIcon } from "../../components/icons";
import { Bones, Note, PageHead, Segments, When } from "../../components/parts";
import { toast } from "../../components/toast";
import type { Call } from "../../lib/copy";
import { textIn } from "../../lib/answer";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import { useCheck } from "./check";
import { isJson, read, type Change, type Read } from "./definition";
import { FormOf } from "./form";
import { Preview } from "./preview";
import { needsManage, type Listed, type Stored } from "./result";
import { DefinitionText } from "./text";
import { addressOf } from "../../shared/tests/verdict";
import styles from "./tests.module.css";
import { CreateTest, DeleteTest, UpdateTest } from "./tests.operations";

type Yaml = typeof import("yaml");

// Dialogs are loaded when they open.
const History = lazy(() => import("./history"));
const RunOne = lazy(() => import("./run-one"));

const beginning = JSON.stringify({ on: { types: ["dataset"] }, rules: { property: "owners", operator: "exists" } }, null, 2);

const views = { preview: "Preview", text: "Text", runs: "Runs" } as const;
type View = keyof typeof views;

interface Edited {
  name: string;
  category: string;
  description: string;
  text: string;
}

const editedOf = (stored: Stored | null): Edited =>
  stored
    ? { name: stored.name, category: stored.category, description: stored.description, text: stored.json }
    : { name: "", category: "", description: "", text: beginning };

const same = (a: Edited, b: Edited) => a.name === b.name && a.category === b.category && a.description === b.description && a.text === b.text;

/**
 * The editor of a test: the definition as a form and as text, a preview of the results for all assets, and past
 * results.
 */
export default function Editor({ stored, tests, call }: { stored: Stored | null; tests: readonly Listed[]; call: Call }) {
  const { may } = useSession();
  const [, go] = useLocation();
  const queries = useQueryClient();
  const [parameters, setParameters] = useSearchParams();
  const view: View = Object.hasOwn(views, parameters.get("view") ?? "") ? (parameters.get("view") as View) : "preview";
  const [base, setBase] = useState(() => editedOf(stored));
  const [edited, setEdited] = useState(base);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [asking, setAsking] = useState<"delete" | "run" | null>(null);
  const dirty = !same(edited, base);
  useTitle(edited.name || "New test", "Tests");

  const yaml = useYaml(edited.text);
  const found = useRead(edited.text, yaml);
  const check = useCheck(edited.text, stored?.urn, may.manageTests === true);
  const setText = useCallback((text: string) => setEdited((before) => ({ ...before, text })), []);
  const apply = (changes: readonly Change[]) => {
    if (found.form !== null) {
      setText(found.write(changes));
    }
  };

  // Changes saved by another user replace the content as long as it has no local changes.
  const other = editedOf(stored);
  if (stored && !dirty && !same(other, base)) {
    setBase(other);
    setEdited(other);
  }
  useLeaving(dirty);

  const unnamed = edited.name.trim() === "";
  const save = async () => {
    setTried(true);
    if (unnamed) {
      return;
    }
    setBusy(true);
    setError(null);
    const input = { name: edited.name.trim(), category: edited.category.trim() || "General", description: edited.description.trim() || null, definition: { json: edited.text } };
    try {
      if (stored) {
        await change(UpdateTest, { urn: stored.urn, input });
      } else {
        const { createTest: urn } = await change(CreateTest, { input });
        await queries.invalidateQueries({ queryKey: ["tests"] });
        setBase(edited);
        go(addressOf(textIn(urn)), { replace: true });
        toast({ title: `${input.name} was created`, text: "It runs about all assets soon." });
        return;
      }
      setBase(edited);
      await queries.invalidateQueries({ queryKey: ["tests"] });
      toast({ title: `${input.name} was saved`, text: "It runs about all assets soon." });
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  const last = stored?.last;
  return (
    <>
      <Link href="/tests" className={styles["back"] ?? ""}>
        <BackIcon size={14} stroke={1.5} aria-hidden /> All tests
      </Link>
      <PageHead
        title={edited.name || (stored ? stored.urn : "New test")}
        actions={
          <>
            <CopyAs call={call} {...(stored ? { urn: stored.urn } : {})} />
            {stored && (
              <>
                <Button look="careful" label="Delete test" icon={<DeleteIcon size={16} stroke={1.5} aria-hidden />} reason={may.manageTests ? null : needsManage} onClick={() => setAsking("delete")} />
                <Button icon={<RunIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setAsking("run")}>
                  Run on one asset
                </Button>
              </>
            )}
            <Button look="primary" busy={busy} reason={may.manageTests ? (stored && !dirty ? "Nothing has changed." : null) : needsManage} onClick={() => void save()}>
              {stored ? "Save" : "Create test"}
            </Button>
          </>
        }
      >
        Runs each day and when an asset changes. {!last ? "Not run yet." : last.time !== undefined && <>Last run <When at={last.time} />.</>}
      </PageHead>
      {error !== null && (
        <div className={styles["trouble"]}>
          <Note tone="bad" title="The test was not saved">
            {problemOf(error).message}
          </Note>
        </div>
      )}
      <div className={styles["columns"]} data-view={view}>
        <div className={styles["form"]}>
          <section className={styles["block"]} aria-label="About">
            <div className={styles["about"]}>
              <TextInput
                label="Name"
                value={edited.name}
                onChange={(event) => setEdited({ ...edited, name: event.currentTarget.value })}
                error={tried && unnamed ? "A name says what the test holds assets to." : null}
                autoComplete="off"
                maxLength={200}
              />
              <TextInput label="Category" value={edited.category} onChange={(event) => setEdited({ ...edited, category: event.currentTarget.value })} placeholder="General" autoComplete="off" maxLength={100} />
            </div>
            <TextInput label="What it is for" value={edited.description} onChange={(event) => setEdited({ ...edited, description: event.currentTarget.value })} autoComplete="off" maxLength={1000} />
          </section>
          <FormOf found={found} problems={check.problems} onChange={apply} onText={() => setParameters({ view: "text" })} />
        </div>
        <aside className={styles["side"]} aria-label="Preview, text and runs">
          <div className={styles["views"]}>
            <Segments label="Beside the form" value={view} options={Object.entries(views).map(([value, label]) => ({ value: value as View, label }))} onChange={(value) => setParameters(value === "preview" ? {} : { view: value })} size="small" />
          </div>
          {view === "preview" && <Preview check={check} may={may.manageTests === true} kept={stored && last && !dirty ? stored.urn : null} />}
          {view === "text" && <DefinitionText text={edited.text} onText={setText} check={check} found={found} />}
          {view === "runs" && (
            <Fallback show={<Bones rows={4} what="the runs" />}>
              <History stored={stored} dirty={dirty} />
            </Fallback>
          )}
        </aside>
      </div>
      {asking === "run" && stored && (
        <Fallback show={null}>
          <RunOne test={stored.urn} tests={tests} dirty={dirty} onClose={() => setAsking(null)} />
        </Fallback>
      )}
      {asking === "delete" && stored && (
        <Confirm
          title={`Delete ${base.name || stored.urn}?`}
          verb="Delete test"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await change(DeleteTest, { urn: stored.urn });
            setBase(edited);
            go("/tests");
            toast({ title: `${base.name || stored.urn} was deleted` });
            await queries.invalidateQueries({ queryKey: ["tests"] });
          }}
        >
          Its results go from all assets a while later. What its actions did stays. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}

// The library is loaded with the first YAML text.
function useYaml(text: string): Yaml | null {
  const [yaml, setYaml] = useState<Yaml | null>(null);
  const needed = yaml === null && text.trim() !== "" && !isJson(text);
  useEffect(() => {
    if (needed) {
      let gone = false;
      void import("yaml").then((loaded) => !gone && setYaml(loaded));
      return () => {
        gone = true;
      };
    }
    return undefined;
  }, [needed]);
  return yaml;
}

function useRead(text: string, yaml: Yaml | null): Read {
  const [kept, setKept] = useState<{ text: string; yaml: Yaml | null; found: Read }>(() => ({ text, yaml, found: read(text, yaml) }));
  if (kept.text === text && kept.yaml === yaml) {
    return kept.found;
  }
  const found = read(text, yaml);
  setKept({ text, yaml, found });
  return found;
}

// The browser asks for confirmation before the page closes with unsaved changes.
function useLeaving(dirty: boolean) {
  const now = useRef(dirty);
  useEffect(() => {
    now.current = dirty;
  }, [dirty]);
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (now.current) {
        event.preventDefault();
      }
    };
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, []);
}
