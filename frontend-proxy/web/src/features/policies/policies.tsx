import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button, ButtonLink } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { useNames } from "../../shared/entities/entities";
import { Export } from "../../components/export";
import { AddIcon, CopyIcon, DeleteIcon, EditIcon, PersonIcon, SignOnIcon, WarnIcon } from "../../components/icons";
import { Badge, Bones, copyText, Empty, Failure, Find, Note, PageHead, Segments, Tools } from "../../components/parts";
import { Pager } from "../../components/pager";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { numberIn } from "../../lib/answer";
import { Fallback, lazy } from "../../lib/lazy";
import { problemOf } from "../../lib/problem";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { choicesOf, titles, type Choices } from "./choices";
import { reachOf, type Reach } from "./explain";
import { Policies, type PoliciesQueryVariables } from "./policies.operations";
import styles from "./policies.module.css";
import { chosen, policiesIn, type Filter, type Listed, type Row } from "./listed";
import { coversAll, urnsIn } from "../../shared/policies/policy";
import { policyPath } from "../../shared/policies/policy-path";
import { fixed, whyNot } from "./refusal";
import { StateSwitch } from "./state-switch";
import { sentence, textOf } from "../../shared/policies/words";

const Delete = lazy(() => import("./delete"));
const GrantedDialog = lazy(() => import("./granted"));

const most = 5000;
const pageSize = 20;
const variables: PoliciesQueryVariables = { input: { start: 0, count: most } };
const nobody: Listed[] = [];

/** The list of policies, with a sentence and the state of each. */
export default function PoliciesPage() {
  useTitle("Policies");
  const { may } = useSession();
  const [parameters, setParameters] = useSearchParams();
  const [asking, setAsking] = useState(false);
  const [deleting, setDeleting] = useState<Listed | null>(null);
  const filter: Filter = { text: parameters.get("find") ?? "", state: parameters.get("state") ?? "all", kind: parameters.get("kind") ?? "any" };
  const set = (key: string, value: string, usual: string) =>
    setParameters(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete("page");
        after.delete(key);
        if (value !== usual) {
          after.set(key, value);
        }
        return after;
      },
      { replace: key !== "page" },
    );
  const { data, error, refetch } = useQuery({
    queryKey: ["policies"],
    queryFn: async ({ signal }) => {
      const { data: answer, problems } = await run(Policies, variables, signal);
      if (!answer.listPolicies) {
        throw problems[0] ?? new Error("The server answered without policies.");
      }
      return { policies: policiesIn(answer.listPolicies), total: numberIn(answer.listPolicies.total) ?? 0, choices: choicesOf(answer) };
    },
  });
  const policies = data?.policies ?? nobody;
  const rows = useRows(policies, data?.choices);
  const shown = chosen(rows, filter);
  const last = Math.max(1, Math.ceil(shown.length / pageSize));
  const page = Math.min(last, Math.max(1, Number(parameters.get("page")) || 1));
  const count = (want: (row: Row) => boolean) => (data ? rows.filter(want).length : undefined);

  return (
    <>
      <PageHead
        title="Policies"
        actions={
          <>
            <CopyAs call={{ query: Policies.toString(), variables }} />
            <Export
              name="policies"
              reason={shown.length === 0 ? "No policy is listed." : null}
              head={["Policy", "In words", "Kind", "State", "URN"]}
              rows={() =>
                Promise.resolve({
                  rows: shown.map(({ urn, name, draft, words }) => [name, words, draft.kind === "METADATA" ? "asset" : "platform", draft.active ? "on" : "off", urn]),
                })
              }
            />
            <Button icon={<PersonIcon size={16} stroke={1.5} aria-hidden />} reason={whyNot(may)} onClick={() => setAsking(true)}>
              What may a person do
            </Button>
            {may.managePolicies ? (
              <Link href="/settings/policies/new" asChild>
                <ButtonLink look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />}>
                  New policy
                </ButtonLink>
              </Link>
            ) : (
              <Button look="primary" reason={whyNot(may)}>
                New policy
              </Button>
            )}
          </>
        }
      >
        Who may do what. One policy that is on is enough to allow it.
      </PageHead>
      {data && !data.choices.enabled && (
        <div className={styles["off"]}>
          <Note tone="warn" title="Policies do not decide here">
            Everybody who is signed in may do everything, whatever the policies say, until an administrator sets auth.policies to true.
          </Note>
        </div>
      )}
      <Tools>
        <Find label="Find by name, person, privilege" value={filter.text} onChange={(text) => set("find", text, "")} />
        <Segments
          label="State"
          value={filter.state}
          options={[
            { value: "all", label: "All", count: data?.policies.length },
            { value: "on", label: "On", count: count(({ draft }) => draft.active) },
            { value: "off", label: "Off", count: count(({ draft }) => !draft.active) },
          ]}
          onChange={(state) => set("state", state, "all")}
        />
        <Segments
          label="Kind"
          value={filter.kind}
          options={[
            { value: "any", label: "Any kind" },
            { value: "asset", label: "Asset", count: count(({ draft }) => draft.kind === "METADATA") },
            { value: "platform", label: "Platform", count: count(({ draft }) => draft.kind === "PLATFORM") },
          ]}
          onChange={(kind) => set("kind", kind, "any")}
        />
      </Tools>
      {error ? (
        <Failure what="the policies" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={9} what="the policies" />
      ) : shown.length === 0 ? (
        <Empty
          icon={<SignOnIcon size={20} stroke={1.5} aria-hidden />}
          title={policies.length === 0 ? "No policy yet" : "No policy matches"}
          actions={
            policies.length > 0 && (
              <Button size="small" onClick={() => setParameters(new URLSearchParams())}>
                Show all {numberText(policies.length)}
              </Button>
            )
          }
        >
          {policies.length === 0 ? "Nobody but administrators of the machine may do anything. Make one that says who may do what." : null}
        </Empty>
      ) : (
        <Page rows={shown.slice((page - 1) * pageSize, page * pageSize)} onDelete={setDeleting} />
      )}
      {data && shown.length > 0 && (
        <Pager label="policies" start={(page - 1) * pageSize} size={pageSize} total={shown.length} onPage={(to) => set("page", String(to), "1")} />
      )}
      {data && data.total > policies.length && (
        <p className="muted small">
          {counted(data.total - policies.length, "policy", "policies")} more {data.total - policies.length === 1 ? "is" : "are"} not listed.
        </p>
      )}
      {asking && (
        <Fallback show={null}>
          <GrantedDialog onClose={() => setAsking(false)} />
        </Fallback>
      )}
      {deleting && (
        <Fallback show={null}>
          <Delete policy={deleting} onClose={() => setDeleting(null)} />
        </Fallback>
      )}
    </>
  );
}

function useRows(policies: readonly Listed[], choices: Choices | undefined): Row[] {
  const names = useNames(useMemo(() => urnsIn(policies.map(({ draft }) => draft)), [policies]));
  return useMemo(() => {
    const vocabulary = { names, privileges: titles([...(choices?.platform ?? []), ...(choices?.asset ?? [])]), types: titles(choices?.types) };
    return policies.map((policy) => ({ ...policy, words: textOf(sentence(policy.draft, vocabulary)) }));
  }, [policies, names, choices]);
}

function Page({ rows, onDelete }: { rows: readonly Row[]; onDelete: (policy: Listed) => void }) {
  const urns = rows.map(({ urn }) => urn);
  const reach = useQuery({
    queryKey: ["policies", "reach", ...urns],
    queryFn: ({ signal }) => reachOf(urns, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  return (
    <Rows
      label="Policies"
      head={["Policy", "Kind", "Reaches", "State", "Actions"]}
      items={rows}
      keyOf={({ urn }) => urn}
      row={(row) => <Line row={row} reach={reach.data?.[row.urn]} failed={reach.error} onDelete={() => onDelete(row)} />}
    />
  );
}

function Line({ row, reach, failed, onDelete }: { row: Row; reach: Reach | undefined; failed: unknown; onDelete: () => void }) {
  const { draft, words } = row;
  const all = coversAll(draft);
  return (
    <>
      <td className={draft.active ? "" : (styles["inactive"] ?? "")}>
        <Link className={`name break ${styles["title"] ?? ""}`} href={policyPath(row.urn)}>
          {row.name}
        </Link>{" "}
        {all.people && <Wide>all people</Wide>} {all.assets && <Wide>all assets</Wide>} {!row.editable && <Badge>built in</Badge>}
        <p className={styles["words"]}>{words}</p>
      </td>
      <td className="faint small" data-label="Kind">
        {draft.kind === "PLATFORM" ? "Platform" : "Asset"}
      </td>
      <td className="muted nowrap num" data-label="Reaches">
        {reach ? <ReachText reach={reach} platform={draft.kind === "PLATFORM"} /> : failed ? <span title={problemOf(failed).message}>Not known</span> : <span className="faint">…</span>}
      </td>
      <td data-label="State">
        <StateSwitch urn={row.urn} name={row.name} on={draft.active} editable={row.editable} />
      </td>
      <td className="right">
        <Actions policy={row} onDelete={onDelete} />
      </td>
    </>
  );
}

const Wide = ({ children }: { children: string }) => (
  <Badge tone="warn" icon={<WarnIcon size={13} stroke={1.5} aria-hidden />}>
    {children}
  </Badge>
);

function ReachText({ reach, platform }: { reach: Reach; platform: boolean }) {
  return (
    <span className={styles["reaches"]}>
      <b className={styles["figure"]}>{numberText(reach.people)}</b>
      {reach.complete ? "" : " or more"} {reach.people === 1 ? "person" : "people"}
      {reach.owners && ", owners"}
      <br />
      <span className="faint small">{platform ? "the catalog" : reach.assets === undefined ? "" : counted(reach.assets, "asset")}</span>
    </span>
  );
}

function Actions({ policy, onDelete }: { policy: Listed; onDelete: () => void }) {
  const [, go] = useLocation();
  const icon = { size: 16, stroke: 1.5, "aria-hidden": true } as const;
  return (
    <RowMenu
      label={`More for ${policy.name}`}
      actions={[
        { name: policy.editable ? "Edit" : "Show", icon: <EditIcon {...icon} />, onClick: () => go(policyPath(policy.urn)) },
        { name: "Copy URN", icon: <CopyIcon {...icon} />, onClick: () => void copyUrn(policy.urn) },
        { name: "Delete", icon: <DeleteIcon {...icon} />, onClick: onDelete, reason: policy.editable ? null : fixed },
      ]}
    />
  );
}

const copyUrn = (urn: string) =>
  copyText(urn).then(
    () => toast({ title: "URN copied" }),
    () => toast({ tone: "bad", title: "URN was not copied", text: "The browser refused to write to the clipboard." }),
  );
