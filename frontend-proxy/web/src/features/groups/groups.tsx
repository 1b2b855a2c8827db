import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, DeleteIcon, GroupIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Kept, Letters, PageHead, Tools } from "../../components/parts";
import { RowMenu } from "../../components/row-menu";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { everyPage } from "../../lib/csv";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { CreateGroup } from "./create";
import { groupsIn, size, type Listed } from "./group";
import { Groups, RemoveGroup, type GroupsQueryVariables } from "./groups.operations";
import styles from "./groups.module.css";
import { OneGroup } from "./one";

/** The groups page: the list of groups, or one group with its members. */
export default function GroupsPage() {
  const [get, set] = useParameters();
  const urn = get("group");
  return urn === "" ? <All onOpen={(group) => set({ group, page: "" }, { push: true })} /> : <OneGroup key={urn} urn={urn} />;
}

function All({ onOpen }: { onOpen: (urn: string) => void }) {
  useTitle("Groups");
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [creating, setCreating] = useState(false);
  const [removing, setRemoving] = useState<Listed | null>(null);
  const variables: GroupsQueryVariables = { input: { start, count: size, query: text } };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["groups", text, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => groupsIn((await run(Groups, variables, signal)).data),
  });
  return (
    <>
      <PageHead
        title="Groups"
        actions={
          <>
            <CopyAs call={{ query: Groups.toString(), variables }} />
            <Export name="groups" head={["Group", "Description", "Members", "Kept", "URN"]} rows={() => everyGroup(text)} />
            <Button look="primary" icon={<AddIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setCreating(true)}>
              Create group
            </Button>
          </>
        }
      >
        Teams that own assets and are named in policies together.
      </PageHead>
      <Tools>
        <Find label="Find a group" value={get("find")} onChange={(find) => set({ find, page: "" })} />
      </Tools>
      {error ? (
        <Failure what="the groups" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        data.items.length === 0 ? (
          <Empty
            icon={<GroupIcon size={20} stroke={1.5} aria-hidden />}
            title={text ? "No group matches" : "No group yet"}
            actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all groups</Button> : null}
          >
            {text ? "The name and the id are searched." : "Create one for a team that looks after data together."}
          </Empty>
        ) : (
          <Kept old={isPlaceholderData}>
            <Rows
              label="Groups"
              head={["Group", "Members", "Kept", "Actions"]}
              numbers={["Members"]}
              items={data.items}
              keyOf={(group) => group.urn}
              row={(group) => <Line group={group} onRemove={() => setRemoving(group)} />}
            />
            <Pager label="groups" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
          </Kept>
        )
      ) : (
        <Bones rows={8} what="the groups" />
      )}
      {creating && <CreateGroup onMade={onOpen} onClose={() => setCreating(false)} />}
      {removing && <Remove group={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

const keptText = ({ external }: Listed) => (external ? "elsewhere" : "here");

async function everyGroup(query: string) {
  const { items, total } = await everyPage(async (start, count) => groupsIn((await run(Groups, { input: { start, count, query } })).data));
  return { rows: items.map((group) => [group.name, group.description, group.total, keptText(group), group.urn]), total };
}

function Line({ group, onRemove }: { group: Listed; onRemove: () => void }) {
  const { name, description } = group;
  return (
    <>
      <td>
        <span className="row">
          <Letters name={name} shape="group" size="large" />
          <span>
            <Link className="name break" href={`/settings/groups?group=${encodeURIComponent(group.urn)}`}>
              {name}
            </Link>
            {description && <span className={styles["about"]}>{description}</span>}
          </span>
        </span>
      </td>
      <td className="right num" data-label="Members">
        {numberText(group.total)}
      </td>
      <td className="muted" data-label="Kept">
        {keptText(group)}
      </td>
      <td className="right">
        <RowMenu label={`More for ${name}`} actions={[{ name: "Delete group", icon: <DeleteIcon size={16} stroke={1.5} aria-hidden />, onClick: onRemove }]} />
      </td>
    </>
  );
}

function Remove({ group, onClose }: { group: Listed; onClose: () => void }) {
  const queries = useQueryClient();
  const { name } = group;
  return (
    <Confirm
      title={`Delete ${name}?`}
      verb="Delete group"
      typed={name}
      onClose={onClose}
      onConfirm={async () => {
        await change(RemoveGroup, { urn: group.urn });
        await queries.invalidateQueries({ queryKey: ["groups"] });
        toast({ title: `${name} was deleted` });
      }}
    >
      {counted(group.total, "member")} lose what it gave them, and it leaves the owners of assets and the policies that name it. People stay. This cannot be undone.
    </Confirm>
  );
}
