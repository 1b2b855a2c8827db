import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import { TermPill } from "../../components/asset";
import { Button } from "../../components/button";
import { Confirm } from "../../components/dialog";
import { nameOf, useNames } from "../../shared/entities/entities";
import { AddIcon, CloseIcon, TermIcon } from "../../components/icons";
import { Bones, Empty, Failure, Person, When } from "../../components/parts";
import { toast } from "../../components/toast";
import { listIn, textIn, timeIn } from "../../lib/answer";
import { Fallback, lazy } from "../../lib/lazy";
import { change, run } from "../../lib/request";
import { ChooseDialog } from "../../shared/govern/dialogs";
import { isAddress } from "./address";
import type { Relation, Whole } from "./entry";
import { HistoryOf, Relate, RemoveALink, Unrelate } from "./entry-tabs.operations";
import styles from "./entry-tabs.module.css";
import { ways } from "./ways";

const AddLink = lazy(() => import("./add-link"));

interface Props {
  name: "related" | "documentation" | "history";
  entry: Whole;
  onChanged: () => Promise<unknown>;
}

/** The content of a tab of a term or a group, except for the first tab. */
export default function EntryTab({ name, entry, onChanged }: Props) {
  switch (name) {
    case "related":
      return <Related entry={entry} onChanged={onChanged} />;
    case "documentation":
      return <Documentation entry={entry} onChanged={onChanged} />;
    case "history":
      return <History urn={entry.urn} />;
  }
}

function Related({ entry, onChanged }: { entry: Whole; onChanged: () => Promise<unknown> }) {
  const [relating, setRelating] = useState(false);
  const remove = async ({ way, urn, name }: Relation) => {
    const [from, to] = way === "kind" || way === "partOf" ? [urn, entry.urn] : [entry.urn, urn];
    try {
      await change(Unrelate, { input: { urn: from, termUrns: [to], relationshipType: way === "isA" || way === "kind" ? "isA" : "hasA" } });
      await onChanged();
      toast({ title: `${name} is no longer tied to ${entry.name}` });
    } catch (error) {
      toast({ tone: "bad", title: "The relation stays", text: error instanceof Error ? error.message : "" });
    }
  };
  return (
    <>
      {entry.relations.length === 0 && (
        <Empty icon={<TermIcon size={20} stroke={1.5} aria-hidden />} title="No related term yet">
          Say what it is a kind of, and what it contains.
        </Empty>
      )}
      {ways.map(({ way, title }) => {
        const all = entry.relations.filter((each) => each.way === way);
        return (
          all.length > 0 && (
            <div key={way} className={styles["way"]}>
              <h2>{title}</h2>
              <div className={styles["pills"]}>
                {all.map((each) => (
                  <TermPill key={each.urn} name={each.name} urn={each.urn} onRemove={way === "related" ? undefined : () => void remove(each)} />
                ))}
              </div>
            </div>
          )
        );
      })}
      <Button icon={<AddIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setRelating(true)}>
        Add relation
      </Button>
      {relating && <AddRelation entry={entry} onChanged={onChanged} onClose={() => setRelating(false)} />}
    </>
  );
}

function AddRelation({ entry, onChanged, onClose }: { entry: Whole; onChanged: () => Promise<unknown>; onClose: () => void }) {
  return (
    <ChooseDialog
      title={`Tie ${entry.name} to other terms`}
      about="The relation is shown on both sides."
      verb="Add relation"
      what="a term"
      find="Find a term to tie it to"
      types={["GLOSSARY_TERM"]}
      multiple
      without={new Set([entry.urn])}
      options={{
        label: `${entry.name}`,
        choices: [
          { value: "isA", name: "is a kind of" },
          { value: "hasA", name: "contains" },
          { value: "partOf", name: "is part of" },
        ],
      }}
      onClose={onClose}
      onChoose={async (chosen, way) => {
        const others = [...chosen.keys()];
        if (way === "partOf") {
          await Promise.all(others.map((urn) => change(Relate, { input: { urn, termUrns: [entry.urn], relationshipType: "hasA" } })));
        } else {
          await change(Relate, { input: { urn: entry.urn, termUrns: others, relationshipType: way === "isA" ? "isA" : "hasA" } });
        }
        await onChanged();
      }}
    />
  );
}

function Documentation({ entry, onChanged }: { entry: Whole; onChanged: () => Promise<unknown> }) {
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<{ url: string; label: string } | null>(null);
  return (
    <>
      {entry.source.ref || entry.source.url ? (
        <p className="muted">
          Defined in {entry.source.ref || "another place"}
          {isAddress(entry.source.url) ? (
            <>
              :{" "}
              <a href={entry.source.url} rel="noopener noreferrer" target="_blank">
                {entry.source.url}
              </a>
            </>
          ) : (
            entry.source.url && <>: {entry.source.url}</>
          )}
        </p>
      ) : null}
      {entry.links.length === 0 ? (
        <Empty title="No link yet">Lead to the page that explains it at length.</Empty>
      ) : (
        <ul className={styles["links"]} aria-label="Links">
          {entry.links.map((link) => (
            <li key={`${link.url} ${link.label}`}>
              {isAddress(link.url) ? (
                <a className="break" href={link.url} rel="noopener noreferrer" target="_blank">
                  {link.label}
                </a>
              ) : (
                <span className="break">
                  {link.label}, {link.url}
                </span>
              )}
              <span className="end">
                <Button size="small" look="quiet" label={`Remove the link ${link.label}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={() => setRemoving(link)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <p style={{ marginTop: 12 }}>
        <Button icon={<AddIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setAdding(true)}>
          Add link
        </Button>
      </p>
      {adding && (
        <Fallback show={null}>
          <AddLink urn={entry.urn} name={entry.name} isAddress={isAddress} onChanged={onChanged} onClose={() => setAdding(false)} />
        </Fallback>
      )}
      {removing && (
        <Confirm
          title={`Remove the link ${removing.label}?`}
          verb="Remove link"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await change(RemoveALink, { input: { resourceUrn: entry.urn, linkUrl: removing.url, label: removing.label } });
            await onChanged();
          }}
        >
          The page it leads to stays as it is.
        </Confirm>
      )}
    </>
  );
}

function History({ urn }: { urn: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["glossary", "history", urn],
    queryFn: async ({ signal }) =>
      listIn((await run(HistoryOf, { urn }, signal)).data.getTimeline?.changeTransactions)
        .map(({ timestampMillis, actor, changes }) => ({ time: timeIn(timestampMillis) ?? 0, actor: textIn(actor), texts: listIn(changes).map(({ description }) => textIn(description) || "Something changed.") }))
        .toSorted((a, b) => b.time - a.time),
  });
  const actors = useNames((data ?? []).flatMap(({ actor }) => (actor ? [actor] : [])));
  if (error) {
    return <Failure what="the history" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="the history" />;
  }
  if (data.length === 0) {
    return <Empty title="No change is recorded">Changes from now on are listed here.</Empty>;
  }
  return (
    <ol className={styles["history"]} aria-label="Changes, newest first">
      {data.map(({ time, actor, texts }) => (
        <li key={`${time} ${actor}`}>
          <span className="muted">{time > 0 && <When at={time} />}</span>
          <div>
            {actor && <Person name={nameOf(actors, actor)} />}
            {texts.map((text, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- changes of one moment have no other name
              <p key={at} className="muted">
                {text}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ol>
  );
}
