import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { useSession } from "../../shared/session/session";
import { GroupIcon } from "../../components/icons";
import { Bones, Empty, Failure } from "../../components/parts";
import { textsIn } from "../../lib/answer";
import { startOf, useParameters } from "../../lib/parameters";
import { run } from "../../lib/request";
import type { TabProps } from "../../shared/asset/tabs";
import { groupIn, size } from "./group";
import { Group, GroupRights } from "./groups.operations";
import { Members } from "./members";

// The privileges that allow changes to the members of a group.
const changing: ReadonlySet<string> = new Set(["EDIT_GROUP_MEMBERS", "EDIT_ENTITY"]);

/** The members tab of a group. */
export default function MembersTab({ urn }: TabProps) {
  const [get, set] = useParameters();
  const { may, urn: me } = useSession();
  const start = startOf(get("page"), size);
  const { data, error, refetch } = useQuery({
    queryKey: ["groups", urn, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => groupIn((await run(Group, { urn, start, count: size }, signal)).data.corpGroup),
  });
  const rights = useQuery({
    queryKey: ["groups", urn, "rights"],
    enabled: !may.manageIdentities,
    queryFn: async ({ signal }) => textsIn((await run(GroupRights, { actor: me, group: urn }, signal)).data.getGrantedPrivileges?.privileges),
  });
  if (error) {
    return <Failure what="the members" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined || rights.isLoading) {
    return <Bones rows={8} what="the members" />;
  }
  if (data === null) {
    return <Empty icon={<GroupIcon size={20} stroke={1.5} aria-hidden />} title="There is no such group">It may have been deleted.</Empty>;
  }
  // If the privileges are unknown, the service decides.
  const allowed = may.manageIdentities || rights.data?.some((privilege) => changing.has(privilege)) !== false;
  const reason = allowed ? null : `You may not change who is in ${data.name}. It needs the privilege Manage Users & Groups, or Edit Group Members on the group: ask an administrator.`;
  return <Members group={data} start={start} reason={reason} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />;
}
