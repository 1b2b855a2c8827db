import { Menu } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import { useLocation, useParams } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { AddIcon, TermIcon } from "../../components/icons";
import { KeepOpen } from "../../components/open-rows";
import { Bones, Empty, Failure, PageHead } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { Fallback, lazy } from "../../lib/lazy";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import { ownersText } from "../../shared/govern/people";
import { listedIn, ownersIn } from "../../shared/govern/read";
import { assetsInput } from "../../shared/govern/uses";
import { aboveIn, domainIn, entryIn, wholeIn, type Above, type Whole } from "./entry";
import { Entries } from "./entries";
import { EntryView, usesSize, type Uses } from "./entry-view";
import styles from "./glossary.module.css";
import { FindEntries, Group, Levels, Term, type TermQueryVariables } from "./glossary.operations";
import { levelQuery, most, openGroups, top } from "./levels";
import { Tree } from "./tree";

const CreateEntry = lazy(() => import("./create"));

interface Shown {
  whole: Whole | null;
  uses?: Uses;
}

async function readEntry(urn: string, start: number, signal: AbortSignal): Promise<Shown> {
  if (urn.startsWith("urn:li:glossaryNode:")) {
    return { whole: wholeIn((await run(Group, { urn }, signal)).data.glossaryNode) };
  }
  const { data } = await run(Term, termVariables(urn, start), signal);
  return {
    whole: wholeIn(data.glossaryTerm),
    uses: pageIn(data.uses, (entity) => listedIn(entity, urn)),
  };
}

const termVariables = (urn: string, start: number): TermQueryVariables => ({ urn, uses: assetsInput("glossaryTerms", urn, { start, count: usesSize }), columns: true });

/** The glossary page: the tree, and the selected term or group. */
export default function GlossaryPage() {
  const { urn: part, tab } = useParams<{ urn?: string; tab?: string }>();
  const urn = part === undefined ? "" : decoded(part);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const [get] = useParameters();
  const { may } = useSession();
  const start = startOf(get("page"), usesSize);
  const [creating, setCreating] = useState<{ group: boolean } | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["glossary", "entry", urn, start],
    enabled: urn !== "",
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => readEntry(urn, start, signal),
  });
  const shown = data?.whole?.urn === urn ? data : undefined;
  const missing = data !== undefined && !data.whole;
  const ready = urn === "" || shown !== undefined || missing || error !== null;

  // The tree expands the parents of the selected entry, and the entry itself if it is a group.
  const way = [...(shown?.whole?.above.map((each) => each.urn) ?? []), ...(shown?.whole?.group ? [urn] : [])].join(" ");
  useEffect(() => openGroups.set(way.split(" ").filter(Boolean), true), [way]);

  const parent = parentOf(shown?.whole ?? null);
  const allowed = may.manageGlossaries || (shown?.whole?.group ? shown.whole.mayManageChildren : (shown?.whole?.mayManage ?? false) && parent !== null);
  const reason = allowed ? null : "You need the privilege Manage Glossaries, or Manage Direct Glossary Children on the group.";
  const changed = () => queries.invalidateQueries({ queryKey: ["glossary"] });
  const add = (
    <Menu>
      <Menu.Target>
        <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={reason}>
          New
        </Button>
      </Menu.Target>
      {!reason && (
        <Menu.Dropdown>
          <Menu.Label>{parent ? `In ${parent.name}` : "At the top"}</Menu.Label>
          <Menu.Item onClick={() => setCreating({ group: false })}>Term</Menu.Item>
          <Menu.Item onClick={() => setCreating({ group: true })}>Group of terms</Menu.Item>
        </Menu.Dropdown>
      )}
    </Menu>
  );
  return (
    <div className={styles["split"]}>
      <Tree here={urn} ready={ready} actions={add} />
      <section className={styles["main"]}>
        {urn === "" ? (
          <Start actions={<CopyAs call={{ query: Levels.toString(), variables: { root: true, urns: [], most, children: { query: "*", count: most } } }} />} />
        ) : error && !shown ? (
          <Framed urn={urn}>
            <Failure what="the term" error={error} onRetry={() => void refetch()} />
          </Framed>
        ) : shown || missing ? (
          <KeepOpen
            value={shown?.whole?.exists ? { entry: shown.whole, uses: shown.uses } : undefined}
            scope={urn}
            empty={
              <Framed urn={urn}>
                <Empty icon={<TermIcon size={20} stroke={1.5} aria-hidden />} title="Nothing is filed here">
                  There is no such term or group, or you may not see it. <code className="break">{urn}</code>
                </Empty>
              </Framed>
            }
          >
            {({ entry, uses }) => (
              <EntryView
                key={urn}
                entry={entry}
                uses={uses}
                start={start}
                tab={tab ?? ""}
                copy={<CopyAs urn={urn} call={entry.group ? { query: Group.toString(), variables: { urn } } : { query: Term.toString(), variables: { ...termVariables(urn, start) } }} />}
                onChanged={changed}
                onGone={async () => {
                  go(parentPath(entry), { replace: true });
                  await changed();
                }}
              />
            )}
          </KeepOpen>
        ) : (
          <Bones rows={8} what="the term" />
        )}
      </section>
      {creating && (
        <Fallback show={null}>
          <CreateEntry
            group={creating.group}
            parent={parent}
            onClose={() => setCreating(null)}
            onMade={(made) => {
              setCreating(null);
              void changed();
              go(assetPath(made));
            }}
          />
        </Fallback>
      )}
    </div>
  );
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

// A new entry is created in the selected group, or beside the selected term.
const parentOf = (whole: Whole | null): Above | null => (whole?.group ? { urn: whole.urn, name: whole.name } : (whole?.above.at(-1) ?? null));

const parentPath = (whole: Whole | null) => {
  const parent = whole?.above.at(-1);
  return parent ? assetPath(parent.urn) : "/glossary";
};

function Framed({ urn, children }: { urn: string; children: ReactNode }) {
  useTitle("Glossary");
  return (
    <>
      <h1 className="sr">{urn}</h1>
      {children}
    </>
  );
}

async function readTerms() {
  const all = await everyPage(async (start, count) => {
    const { data } = await run(FindEntries, {
      input: { types: ["GLOSSARY_TERM"], query: "*", start, count, sortInput: { sortCriteria: [{ field: "name", sortOrder: "ASCENDING" }] }, searchFlags: { skipAggregates: true } },
    });
    return pageIn(data.searchAcrossEntities, (entity) => entity);
  });
  const rows = all.items.flatMap((term) =>
    entryIn(term).map((entry) => [
      entry.name,
      entry.definition,
      aboveIn(term.parentNodes)
        .map(({ name }) => name)
        .join(" / "),
      ownersText(ownersIn(term.ownership)),
      domainIn(term.domain)?.name,
      entry.urn,
    ]),
  );
  return { rows, total: all.total };
}

function Start({ actions }: { actions: ReactNode }) {
  useTitle("Glossary");
  const { data, error, refetch } = useQuery(levelQuery(top));
  return (
    <>
      <PageHead
        title="Glossary"
        actions={
          <>
            {actions}
            <Export name="glossary" head={["Term", "Definition", "In", "Owners", "Domain", "URN"]} rows={readTerms} />
          </>
        }
      >
        What the words of the company mean, agreed once and put on the data they speak of.
      </PageHead>
      {error ? (
        <Failure what="the glossary" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the glossary" />
      ) : data.entries.length === 0 ? (
        <Empty icon={<TermIcon size={20} stroke={1.5} aria-hidden />} title="No term yet">
          Begin with a group for a part of the company, and the five words that are misunderstood most.
        </Empty>
      ) : (
        <Entries label="At the top of the glossary" entries={data.entries} />
      )}
    </>
  );
}
