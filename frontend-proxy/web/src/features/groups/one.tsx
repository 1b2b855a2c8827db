import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";

import { useTitle } from "../../lib/title";
import { CopyAs } from "../../components/copy-as";
import { Editable } from "../../components/editable";
import { BackIcon, GroupIcon } from "../../components/icons";
import { Bones, Empty, Failure, PageHead } from "../../components/parts";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { keyOf } from "../../lib/text";
import { groupIn, size, type Whole } from "./group";
import { DescribeGroup, Group } from "./groups.operations";
import styles from "./groups.module.css";
import { Members } from "./members";

/** A group with its details and members. */
export function OneGroup({ urn }: { urn: string }) {
  const [get, set] = useParameters();
  const start = startOf(get("page"), size);
  const variables = { urn, start, count: size };
  const { data, error, refetch } = useQuery({
    queryKey: ["groups", urn, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => groupIn((await run(Group, variables, signal)).data.corpGroup),
  });
  const name = data?.name ?? keyOf(urn);
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
      ) : data === null ? (
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
  const { email } = group;
  return (
    <>
      <dl className={styles["facts"]}>
        <dt>Description</dt>
        <dd>
          <Editable
            label="description"
            value={group.description}
            empty="No description yet"
            long
            most={10_000}
            onSave={async (description) => {
              await change(DescribeGroup, { urn: group.urn, input: { description } });
              await queries.invalidateQueries({ queryKey: ["groups"] });
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
      <Members group={group} start={start} reason={null} onPage={onPage} />
    </>
  );
}
