import { keepPreviousData, useQuery } from "@tanstack/react-query";

import { useSession } from "../../app/session";
import { Bones, Failure } from "../../components/parts";
import { startOf, useParameters } from "../../lib/parameters";
import { groupName } from "../../lib/people";
import { run } from "../../lib/request";
import type { TabProps } from "../asset/tabs";
import { size } from "./group";
import { Group } from "./groups.operations";
import { Members } from "./members";

/** Who is in a group, on its page. */
export default function MembersTab({ urn }: TabProps) {
  const [get, set] = useParameters();
  const { may } = useSession();
  const start = startOf(get("page"), size);
  const { data, error, refetch } = useQuery({
    queryKey: ["groups", urn, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => (await run(Group, { urn, start, count: size }, signal)).data.corpGroup,
  });
  if (error) {
    return <Failure what="the members" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={8} what="the members" />;
  }
  const reason = may.manageIdentities ? null : `You may not change who is in ${groupName(data)}. It needs the privilege Manage Users & Groups: ask an administrator.`;
  return <Members group={data} start={start} reason={reason} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />;
}
