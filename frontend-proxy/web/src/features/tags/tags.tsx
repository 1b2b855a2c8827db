import { useDebouncedCallback, useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState, type CSSProperties, type KeyboardEvent } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { Editable, Leaving, useLeaving } from "../../components/editable";
import { Export } from "../../components/export";
import { AddIcon, CopyIcon, DeleteIcon, EditIcon, PersonIcon, TagIcon } from "../../components/icons";
import { KeepOpen } from "../../components/open-rows";
import { Pager } from "../../components/pager";
import { Bones, copyText, Empty, Failure, Find, Kept, PageHead, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { assetPath } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { listIn } from "../../lib/answer";
import { pageIn } from "../../lib/found";
import { startOf, useParameters } from "../../lib/parameters";
import { problemOf } from "../../lib/problem";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { Describe } from "../../shared/govern/govern.operations";
import { OwnersDialog, RenameDialog } from "../../shared/govern/dialogs";
import { OwnersCell, ownersText } from "../../shared/govern/people";
import { removedOf } from "../../shared/govern/removed";
import { Uses } from "../../shared/govern/uses";
import { addressOf } from "../../shared/search/filters";
import { merged, tagIn, type Tag } from "./tag";
import { ColourTag, CreateTag, DeleteTag, Tags, UpdateTag, type TagsQueryVariables } from "./tags.operations";
import styles from "./tags.module.css";

const size = 50;

const inputOf = (text: string, start: number, count: number): TagsQueryVariables["input"] => ({
  types: ["TAG"],
  query: text || "*",
  start,
  count,
  ...(text ? {} : { sortInput: { sortCriteria: [{ field: "name", sortOrder: "ASCENDING" }] } }),
  searchFlags: { skipAggregates: true, skipHighlighting: true },
});

async function read(variables: TagsQueryVariables, signal?: AbortSignal) {
  const { data } = await run(Tags, variables, signal);
  const found = data.searchAcrossEntities;
  return { made: listIn(data.entities).flatMap(tagIn), ...pageIn(found, tagIn) };
}

type Asked = { tag: Tag; what: "rename" | "owners" | "delete" };

/** The tags page: descriptions and usage of each tag. */
export default function TagsPage() {
  useTitle("Tags");
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [creating, setCreating] = useState(false);
  const [made, setMade] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<Asked | null>(null);
  const variables: TagsQueryVariables = { input: inputOf(text, start, size), made: start === 0 && text === "" ? [...made] : [] };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["tags", text, start, variables.made],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => ({ ...(await read(variables, signal)), scope: `${text} ${start}` }),
  });
  const changed = () => queries.invalidateQueries({ queryKey: ["tags"] });
  const tags = data ? merged(data.made, data.items) : [];
  return (
    <div className="page">
      <PageHead
        title="Tags"
        actions={
          <>
            <CopyAs call={{ query: Tags.toString(), variables }} />
            <Export
              name="tags"
              head={["Name", "Description", "Uses", "Owners", "Colour", "URN"]}
              rows={async () => {
                const all = await everyPage((from, count) => read({ input: inputOf(text, from, count), made: [] }));
                return { rows: all.items.map((tag) => [tag.name, tag.description, tag.uses, ownersText(tag.owners), tag.colour, tag.urn]), total: all.total };
              }}
            />
            <Button
              look="primary"
              icon={<AddIcon size={16} stroke={1.5} aria-hidden />}
              reason={may.createTags || may.manageTags ? null : "You need the privilege Create Tags. Ask an administrator to add you to a policy that has it."}
              onClick={() => setCreating(true)}
            >
              Create tag
            </Button>
          </>
        }
      >
        Free labels that people put on assets and columns. Words with a definition belong in the glossary.
      </PageHead>
      <Tools>
        <Find label="Find a tag" value={get("find")} onChange={(find) => set({ find, page: "" })} />
        {data && (
          <span className="muted small num" role="status">
            {counted(data.total, "tag")}
          </span>
        )}
      </Tools>
      {creating && (
        <NewTag
          onClose={() => setCreating(false)}
          onMade={(urn) => {
            setMade((before) => [urn, ...before]);
            set({ find: "", page: "" });
            void changed();
          }}
        />
      )}
      {error ? (
        <Failure what="the tags" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <KeepOpen
          value={tags.length > 0 ? tags : undefined}
          gone={false}
          scope={data.scope}
          empty={
            <Empty
              icon={<TagIcon size={20} stroke={1.5} aria-hidden />}
              title={text ? "No tag matches" : "No tag yet"}
              actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all tags</Button> : null}
            >
              {text ? "The name and the description are searched." : "Create one, and put it on assets and columns that belong together in some way."}
            </Empty>
          }
        >
          {() => (
            <Kept old={isPlaceholderData}>
              <Rows
                label="Tags"
                head={["Tag", "Description", "Uses", "Owner", "Actions"]}
                numbers={["Uses"]}
                items={tags}
                scope={data.scope}
                removedOf={removedOf}
                keyOf={(tag) => tag.urn}
                row={(tag) => <Line tag={tag} onChanged={changed} onAsk={(what) => setAsked({ tag, what })} />}
              />
              <Pager label="tags" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
            </Kept>
          )}
        </KeepOpen>
      ) : (
        <Bones rows={8} what="the tags" />
      )}
      {asked?.what === "rename" && (
        <RenameDialog
          what="tag"
          name={asked.tag.name}
          onClose={() => setAsked(null)}
          onRename={async (name) => {
            await change(UpdateTag, { urn: asked.tag.urn, input: { urn: asked.tag.urn, name } });
            await changed();
          }}
        />
      )}
      {asked?.what === "owners" && <OwnersDialog urn={asked.tag.urn} name={asked.tag.name} onChanged={() => void changed()} onClose={() => setAsked(null)} />}
      {asked?.what === "delete" && (
        <Remove
          tag={asked.tag}
          onClose={() => setAsked(null)}
          onRemoved={() => {
            setMade((before) => before.filter((urn) => urn !== asked.tag.urn));
            return changed();
          }}
        />
      )}
    </div>
  );
}

// The search for assets with a tag on the asset itself or on a column.
const usesAddress = (urn: string) => `/search?${addressOf({ query: "*", filters: [{ field: "tags", values: [urn], negated: false, condition: "EQUAL" }], any: false, view: "", sort: "best", page: 1 }).toString()}`;

function Line({ tag, onChanged, onAsk }: { tag: Tag; onChanged: () => Promise<unknown>; onAsk: (what: Asked["what"]) => void }) {
  return (
    <>
      <td>
        <span className={`row ${styles["name"]}`}>
          <Colour tag={tag} onChanged={onChanged} />
          <Link className="name break" href={assetPath(tag.urn)} dir="auto">
            {tag.name}
          </Link>
        </span>
      </td>
      <td data-label="Description">
        <Editable
          label={`description of ${tag.name}`}
          value={tag.description}
          empty="No description yet"
          most={2000}
          onSave={async (description) => {
            await change(Describe, { input: { resourceUrn: tag.urn, description } });
            await onChanged();
          }}
        />
      </td>
      <td className="right num" data-label="Uses">
        {tag.uses === 0 ? (
          <span className="faint">Not used</span>
        ) : (
          <Link href={usesAddress(tag.urn)} aria-label={counted(tag.uses, "use")}>
            {numberText(tag.uses)}
          </Link>
        )}
      </td>
      <td data-label="Owner">
        <OwnersCell owners={tag.owners} />
      </td>
      <td className="right">
        <RowMenu
          label={`More for ${tag.name}`}
          actions={[
            { name: "Rename", icon: <EditIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAsk("rename") },
            { name: "Owners", icon: <PersonIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAsk("owners") },
            { name: "Copy URN", icon: <CopyIcon size={16} stroke={1.5} aria-hidden />, onClick: () => void copyText(tag.urn).then(() => toast({ title: "URN copied" })) },
            { name: "Delete tag", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, onClick: () => onAsk("delete") },
          ]}
        />
      </td>
    </>
  );
}

// A colour input with an optimistic update and a debounced request. If the service rejects the colour, it is rolled
// back and the reason is shown.
function Colour({ tag, onChanged }: { tag: Tag; onChanged: () => Promise<unknown> }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const colour = chosen ?? tag.colour;
  const send = useDebouncedCallback(async (value: string) => {
    try {
      await change(ColourTag, { urn: tag.urn, colour: value });
      await onChanged();
    } catch (error) {
      toast({ tone: "bad", title: `The colour of ${tag.name} stays as it was`, text: problemOf(error).message });
    }
    setChosen(null);
  }, 500);
  return (
    <label className={styles["dot"]} style={colour ? ({ "--dot": colour } as CSSProperties) : undefined} aria-busy={chosen !== null} title="Change the colour">
      <input
        type="color"
        aria-label={`Colour of ${tag.name}`}
        {...(colour ? { value: colour } : {})}
        onChange={(event) => {
          setChosen(event.currentTarget.value);
          send(event.currentTarget.value);
        }}
      />
    </label>
  );
}

// An input row for a tag. It stays open for the next tag.
function NewTag({ onMade, onClose }: { onMade: (urn: string) => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState("");
  const first = useRef<HTMLInputElement>(null);
  const leaving = useLeaving(onClose);
  const create = async () => {
    if (busy) {
      return;
    }
    if (name.trim() === "") {
      setRefusal("A tag needs a name.");
      first.current?.focus();
      return;
    }
    setBusy(true);
    setRefusal("");
    try {
      const { createTag: urn } = await change(CreateTag, { input: { name: name.trim(), ...(description.trim() ? { description: description.trim() } : {}) } });
      toast({ title: `${name.trim()} was created` });
      setName("");
      setDescription("");
      first.current?.focus();
      onMade(urn ?? "");
    } catch (error) {
      setRefusal(problemOf(error).message);
    }
    setBusy(false);
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      leaving.leave(name.trim() !== "" || description.trim() !== "");
    }
  };
  return (
    <form
      className={styles["new"]}
      aria-label="New tag"
      noValidate
      onChange={leaving.stay}
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the row is what was asked for */}
      <input ref={first} aria-label="Name" placeholder="Name of the tag" value={name} maxLength={200} autoComplete="off" autoFocus onKeyDown={leave} onChange={(event) => setName(event.currentTarget.value)} />
      <input
        aria-label="Description"
        placeholder="What does it say about an asset?"
        value={description}
        maxLength={2000}
        autoComplete="off"
        onKeyDown={leave}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <span className="row">
        <Button type="submit" look="primary" busy={busy}>
          Create
        </Button>
        <Button onClick={onClose}>Close</Button>
      </span>
      {refusal && (
        <p className="bad small" role="alert">
          {refusal}
        </p>
      )}
      {leaving.asking && <Leaving />}
    </form>
  );
}

function Remove({ tag, onRemoved, onClose }: { tag: Tag; onRemoved: () => Promise<unknown>; onClose: () => void }) {
  return (
    <Confirm
      title={`Delete ${tag.name}?`}
      verb="Delete tag"
      {...(tag.uses > 0 ? { typed: tag.name } : {})}
      onClose={onClose}
      onConfirm={async () => {
        await change(DeleteTag, { urn: tag.urn });
        await onRemoved();
        toast({ title: `${tag.name} was deleted` });
      }}
    >
      <Uses field="tags" urn={tag.urn} verb="carry it, on the whole or on a column" none="Nothing carries it." />
      <p>It is taken off all of them. This cannot be undone.</p>
    </Confirm>
  );
}
