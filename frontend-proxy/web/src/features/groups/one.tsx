import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useTitle } from "../../app/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Confirm } from "../../components/dialog";
import { Editable } from "../../components/editable";
import { AddIcon, BackIcon, GroupIcon, PersonIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Bones, Empty, Failure, Letters, PageHead, Section } from "../../components/parts";
import { PeoplePicker } from "../../components/people-picker";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { startOf, useParameters } from "../../lib/parameters";
import { groupName, personName } from "../../lib/people";
import { change, run } from "../../lib/request";
import { counted, keyOf } from "../../lib/text";
import { descriptionOf, fixedReason, membersOf, size, type Member, type Whole } from "./group";
import { AddMembers, DescribeGroup, Group, RemoveMembers } from "./groups.operations";
import styles from "./groups.module.css";

/** One group: what it is, and who is in it. */
export function OneGroup({ urn }: { urn: string }) {
  const [get, set] = useParameters();
  const start = startOf(get("page"), size);
  const variables = { urn, start, count: size };
  const { data, error, refetch } = useQuery({
    queryKey: ["groups", urn, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await run(Group, variables, signal)).data.corpGroup,
  });
  const name = data ? groupName(data) : keyOf(urn);
  useTitle(name, "Groups");
  return (
    <>
      <Link href="/settings/groups" className={styles["back"] ?? ""}>
        <BackIcon size={14} stroke={1.5} aria-hidden />
        All groups
      </Link>
      <PageHead title={name} actions={<CopyAs call={{ query: Group.toString(), variables }} urn={urn} />} />
      {error ? (
        <Failure what="the group" error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Bones rows={8} what="the group" />
      ) : data === null || data.exists === false ? (
        <Empty icon={<GroupIcon size={20} stroke={1.5} aria-hidden />} title="There is no such group">
          It may have been deleted. <code className="break">{urn}</code>
        </Empty>
      ) : (
        <Shown group={data} start={start} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
      )}
    </>
  );
}

function Shown({ group, start, onPage }: { group: Whole; start: number; onPage: (page: number) => void }) {
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const members = membersOf(group);
  const total = group.members?.total ?? 0;
  const name = groupName(group);
  const fixed = fixedReason(group.origin);
  const changed = () => queries.invalidateQueries({ queryKey: ["groups"] });
  const email = group.editableProperties?.email || group.properties?.email;
  return (
    <>
      <dl className={styles["facts"]}>
        <dt>Description</dt>
        <dd>
          <Editable
            label="description"
            value={descriptionOf(group)}
            empty="No description yet"
            long
            most={10_000}
            onSave={async (description) => {
              await change(DescribeGroup, { urn: group.urn, input: { description } });
              await changed();
            }}
          />
        </dd>
        {email && (
          <>
            <dt>Mail</dt>
            <dd className="break" style={{ paddingTop: 7 }}>
              {email}
            </dd>
          </>
        )}
      </dl>
      <Section
        title="Members"
        tools={
          <>
            <span className="muted small num">{counted(total, "person", "people")}</span>
            <Button size="small" icon={<AddIcon size={14} stroke={1.5} aria-hidden />} reason={fixed} onClick={() => setAdding(true)}>
              Add people
            </Button>
          </>
        }
      >
        {members.length === 0 ? (
          <Empty icon={<PersonIcon size={20} stroke={1.5} aria-hidden />} title="No member yet">
            Members hold what policies and roles give to the group.
          </Empty>
        ) : (
          <>
            <Rows
              label={`Members of ${name}`}
              head={["Person", "User name", "Actions"]}
              items={members}
              keyOf={(member) => member.urn}
              row={(member) => <Line member={member} fixed={fixed} onLeave={() => setLeaving(member)} />}
            />
            <Pager label="members" start={start} size={size} total={total} onPage={onPage} />
          </>
        )}
      </Section>
      {adding && (
        <PeoplePicker
          title={`Add people to ${name}`}
          verb="Add to group"
          taken={new Set(members.map(({ urn }) => urn))}
          onClose={() => setAdding(false)}
          onPick={async (userUrns) => {
            await change(AddMembers, { input: { groupUrn: group.urn, userUrns } });
            await changed();
            toast({ title: `${counted(userUrns.length, "person", "people")} added to ${name}` });
          }}
        >
          From now on they hold what policies and roles give to the group.
        </PeoplePicker>
      )}
      {leaving && (
        <Confirm
          title={`Take ${personName(leaving)} out of ${name}?`}
          verb="Take out"
          keep="Leave them in"
          onClose={() => setLeaving(null)}
          onConfirm={async () => {
            await change(RemoveMembers, { input: { groupUrn: group.urn, userUrns: [leaving.urn] } });
            await changed();
            toast({ title: `${personName(leaving)} is no longer in ${name}` });
          }}
        >
          They lose what policies and roles give to the group, from their next request on.
        </Confirm>
      )}
    </>
  );
}

function Line({ member, fixed, onLeave }: { member: Member; fixed: string | null; onLeave: () => void }) {
  const name = personName(member);
  return (
    <>
      <td>
        <span className="row">
          <Letters name={name} size="large" />
          <span className="name break">{name}</span>
          {member.status === "SUSPENDED" && <Badge tone="bad">suspended</Badge>}
        </span>
      </td>
      <td data-label="User name">
        <code className="muted break">{member.username ?? keyOf(member.urn)}</code>
      </td>
      <td className="right">
        <Button size="small" look="careful" reason={fixed} aria-label={`Take out ${name}`} onClick={onLeave}>
          Take out
        </Button>
      </td>
    </>
  );
}
