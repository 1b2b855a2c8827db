import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { Button } from "../../components/button";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, PersonIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Badge, Empty, Letters, Section } from "../../components/parts";
import { PeoplePicker } from "../../shared/pickers/people-picker";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { listIn, numberIn } from "../../lib/answer";
import { assetPath } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { membersOf, size, type Member, type Whole } from "./group";
import { AddMembers, Group, RemoveMembers } from "./groups.operations";

interface Props {
  group: Whole;
  start: number;
  /** The reason why the current user may not change the members; null if allowed. */
  reason: string | null;
  onPage: (page: number) => void;
}

/** A page of the members of a group. */
export function Members({ group, start, reason, onPage }: Props) {
  const queries = useQueryClient();
  const [adding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const { members, total, name } = group;
  const fixed = group.fixed ?? reason;
  const readAll = async () => {
    const { items } = await everyPage(
      async (first, count) => {
        const page = (await run(Group, { urn: group.urn, start: first, count })).data.corpGroup?.members;
        return { items: listIn(page?.relationships), total: numberIn(page?.total) ?? 0 };
      },
      { size: 100 },
    );
    return membersOf({ members: { total: items.length, relationships: items } });
  };
  const changed = () => Promise.all([["groups"], ["asset"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
  return (
    <>
      <Section
        title="Members"
        tools={
          <>
            <span className="muted small num">{counted(total, "person", "people")}</span>
            <Export
              size="small"
              name={`members of ${name}`}
              head={["Person", "User name", "URN"]}
              reason={total === 0 ? "There is no member to export." : null}
              rows={async () => ({ rows: (await readAll()).map((member) => [member.name, member.username, member.urn]) })}
            />
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
          title={`Take ${leaving.name} out of ${name}?`}
          verb="Take out"
          keep="Leave them in"
          onClose={() => setLeaving(null)}
          onConfirm={async () => {
            await change(RemoveMembers, { input: { groupUrn: group.urn, userUrns: [leaving.urn] } });
            await changed();
            toast({ title: `${leaving.name} is no longer in ${name}` });
          }}
        >
          They lose what policies and roles give to the group, from their next request on.
        </Confirm>
      )}
    </>
  );
}

function Line({ member, fixed, onLeave }: { member: Member; fixed: string | null; onLeave: () => void }) {
  const { name } = member;
  return (
    <>
      <td>
        <span className="row">
          <Letters name={name} size="large" />
          <Link className="name break" href={assetPath(member.urn)}>
            {name}
          </Link>
          {member.suspended && <Badge tone="bad">suspended</Badge>}
        </span>
      </td>
      <td data-label="User name">
        <code className="muted break">{member.username}</code>
      </td>
      <td className="right">
        <Button size="small" look="careful" reason={fixed} aria-label={`Take out ${name}`} onClick={onLeave}>
          Take out
        </Button>
      </td>
    </>
  );
}
