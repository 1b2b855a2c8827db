import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { Export } from "../../components/export";
import { AddIcon, AppIcon, ProductIcon } from "../../components/icons";
import { KeepOpen } from "../../components/open-rows";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Kept, PageHead, Tools } from "../../components/parts";
import { everyPage } from "../../lib/csv";
import { startOf, useParameters } from "../../lib/parameters";
import { counted } from "../../lib/text";
import { GovernParts } from "../../shared/govern/parts";
import { ownersText } from "../../shared/govern/people";
import type { Kind } from "../../shared/products/collection";
import { CollectionTable, CreateDialog, inputOf, readCollections } from "./list";
import { Collections } from "./products.operations";

const size = 50;

const words = {
  dataProduct: {
    title: "Data products",
    one: "data product",
    file: "data-products",
    path: "/data-products",
    about: "Assets that a team offers together, for others to build upon.",
    empty: "Put together what belongs together, such as the order tables and the report on them, under a name that others look for.",
  },
  application: {
    title: "Applications",
    one: "application",
    file: "applications",
    path: "/applications",
    about: "Programs of the company, with the assets that they write and read.",
    empty: "Name the programs whose tables, topics and jobs are in the catalog.",
  },
} as const;

/** The page of data products or applications. */
export function CollectionsPage({ kind }: { kind: Kind }) {
  const { title, one, file, path, about, empty } = words[kind];
  useTitle(title);
  const { may } = useSession();
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [creating, setCreating] = useState(false);
  const input = inputOf(kind, { text, start, count: size });
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["collections", kind, text, start],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => ({ ...(await readCollections(input, signal)), scope: `${text} ${start}` }),
  });
  const changed = () => queries.invalidateQueries({ queryKey: ["collections"] });
  const Icon = kind === "dataProduct" ? ProductIcon : AppIcon;
  return (
    <div className="page">
      <PageHead
        title={title}
        actions={
          <>
            <CopyAs call={{ query: Collections.toString(), variables: { input } }} />
            <Export
              name={file}
              head={["Name", "Description", "Domain", "Assets", "Owners", "URN"]}
              rows={async () => {
                const all = await everyPage((from, count) => readCollections(inputOf(kind, { text, start: from, count })));
                return { rows: all.items.map((each) => [each.name, each.description, each.domain?.name, each.assets, ownersText(each.owners), each.urn]), total: all.total };
              }}
            />
            <Button
              look="primary"
              icon={<AddIcon size={16} stroke={1.5} aria-hidden />}
              reason={kind === "application" && !may.manageApplications ? "You need the privilege Manage Applications. Ask an administrator to add you to a policy that has it." : null}
              onClick={() => setCreating(true)}
            >
              Create {one}
            </Button>
          </>
        }
      >
        {about}
      </PageHead>
      <GovernParts here={path} />
      <Tools>
        <Find label={`Find ${kind === "application" ? "an application" : "a data product"}`} value={get("find")} onChange={(find) => set({ find, page: "" })} />
        {data && (
          <span className="muted small num" role="status">
            {counted(data.total, one)}
          </span>
        )}
      </Tools>
      {error ? (
        <Failure what={`the ${one}s`} error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what={`the ${one}s`} />
      ) : (
        <KeepOpen
          value={data.items.length > 0 ? data.items : undefined}
          gone={false}
          scope={data.scope}
          empty={
            <Empty
              icon={<Icon size={20} stroke={1.5} aria-hidden />}
              title={text ? `No ${one} matches` : `No ${one} yet`}
              actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}
            >
              {text ? "The name and the description are searched." : empty}
            </Empty>
          }
        >
          {() => (
            <Kept old={isPlaceholderData}>
              <CollectionTable label={title} kind={kind} items={data.items} scope={data.scope} onChanged={changed} />
              <Pager label={`${one}s`} start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
            </Kept>
          )}
        </KeepOpen>
      )}
      {creating && <CreateDialog kind={kind} onMade={changed} onClose={() => setCreating(false)} />}
    </div>
  );
}
