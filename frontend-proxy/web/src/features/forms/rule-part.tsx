import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { Button } from "../../components/button";
import { Confirm } from "../../components/dialog";
import { nameOf, useNames } from "../../shared/entities/entities";
import { CloseIcon, EditIcon, FilterIcon } from "../../components/icons";
import { Bones, Failure, Section } from "../../components/parts";
import { toast } from "../../components/toast";
import { numberIn } from "../../lib/answer";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import type { Definition } from "../../shared/forms/forms";
import { countInput, type Progress } from "./form";
import { AssignByRule, RuleHolds } from "./forms.operations";
import styles from "./forms.module.css";
import { filtersOf, ruleWords, searchOf, urnsIn } from "./rule";
import { dropRule, type Stored } from "./stored";

const Edit = lazy(() => import("./edit"));

interface Props {
  form: Definition;
  progress: Progress | undefined;
  stored: Stored | undefined;
  error: unknown;
  reason: string | null;
  onRetry: () => void;
  onChanged: () => Promise<unknown>;
}

/** The rule that assigns a form to assets as text, and the number of matching assets without the form. */
export function RulePart({ form, stored, error, reason, onRetry, onChanged }: Props) {
  const [asking, setAsking] = useState<"edit" | "drop" | null>(null);
  const rule = stored?.rule ?? [];
  const names = useNames(urnsIn(rule));
  const words = ruleWords(rule, (urn) => nameOf(names, urn));
  const search = searchOf(rule);
  const why = reason ?? (stored ? null : "The form is being read.") ?? (form.prompts.length === 0 && rule.length === 0 ? "Add a question first: assets are asked what the form asks when they get it." : null);
  return (
    <Section
      title="Which assets get it"
      tools={
        <>
          {rule.length > 0 && (
            <Button size="small" icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} reason={reason} onClick={() => setAsking("drop")}>
              Remove rule
            </Button>
          )}
          <Button size="small" icon={rule.length > 0 ? <EditIcon size={14} stroke={1.5} aria-hidden /> : <FilterIcon size={14} stroke={1.5} aria-hidden />} reason={why} onClick={() => setAsking("edit")}>
            {rule.length > 0 ? "Change rule" : "Assign by rule"}
          </Button>
        </>
      }
    >
      {error !== null && !stored ? (
        <Failure what="the rule" error={error} onRetry={onRetry} />
      ) : !stored ? (
        <Bones rows={2} what="the rule" />
      ) : words.length === 0 ? (
        <p className="muted">No rule assigns it. Assets get it one by one, below.</p>
      ) : (
        <div className={styles["rule"]}>
          {words.length === 1 ? (
            <p className="break" dir="auto">
              {words[0]}.
            </p>
          ) : (
            <>
              <p>One of these holds:</p>
              <ul>
                {words.map((text) => (
                  <li key={text} className="break" dir="auto">
                    {text}.
                  </li>
                ))}
              </ul>
            </>
          )}
          <Holds form={form} stored={stored} search={search} reason={reason} onChanged={onChanged} />
        </div>
      )}
      {asking === "edit" && (
        <Fallback show={null}>
          <Edit what="rule" form={form} rule={rule} onSaved={onChanged} onClose={() => setAsking(null)} />
        </Fallback>
      )}
      {asking === "drop" && (
        <Confirm
          title="Remove the rule?"
          verb="Remove rule"
          onClose={() => setAsking(null)}
          onConfirm={async () => {
            await dropRule(form.urn);
            await onChanged();
            toast({ title: "The rule was removed" });
          }}
        >
          Assets that have the form keep it. It is no longer written down which assets are to get it.
        </Confirm>
      )}
    </Section>
  );
}

function Holds({ form, stored, search, reason, onChanged }: { form: Definition; stored: Stored; search: string | null; reason: string | null; onChanged: () => Promise<unknown> }) {
  const [busy, setBusy] = useState(false);
  const filters = filtersOf(stored.rule);
  const { data, error, refetch } = useQuery({
    queryKey: ["forms", "holds", form.urn, filters],
    queryFn: async ({ signal }) => {
      const { all, without } = (await run(RuleHolds, { all: countInput(filters), without: countInput(filters, form.urn) }, signal)).data;
      return { all: numberIn(all?.total) ?? 0, without: numberIn(without?.total) ?? 0 };
    },
  });
  const give = async () => {
    setBusy(true);
    try {
      await change(AssignByRule, { input: { formUrn: form.urn, orFilters: filters } });
      await onChanged();
      toast({ title: "The assets have the form now" });
    } catch (failure) {
      toast({ tone: "bad", title: "The form was not assigned", text: problemOf(failure).message });
    }
    setBusy(false);
  };
  if (error) {
    return <Failure what="the assets of the rule" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={1} what="the assets of the rule" />;
  }
  const all = counted(data.all, "asset");
  return (
    <p className="muted row wrap">
      <span>
        It holds for {search && data.all > 0 ? <Link href={search}>{all}</Link> : all} now
        {data.all === 0 ? "." : data.without === 0 ? ", and all of them have the form." : `. ${numberText(data.without)} of them came later and ${data.without === 1 ? "has" : "have"} not got the form.`}
      </span>
      {data.without > 0 && (
        <Button size="small" busy={busy} reason={reason} onClick={() => void give()}>
          Give it to {data.without === 1 ? "it" : "them"}
        </Button>
      )}
    </p>
  );
}
