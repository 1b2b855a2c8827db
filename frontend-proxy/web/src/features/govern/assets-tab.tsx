import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Asset } from "../../components/asset";
import { Button } from "../../components/button";
import { Confirm } from "../../components/dialog";
import { Export } from "../../components/export";
import { AddIcon, CloseIcon, DatasetIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Find, Kept, Tools } from "../../components/parts";
import { Rows } from "../../components/rows";
import { toast } from "../../components/toast";
import { kindOf, typeName, typeOf } from "../../lib/asset";
import { everyPage } from "../../lib/csv";
import { pageIn } from "../../lib/found";
import { startOf, useParameters } from "../../lib/parameters";
import { change, run } from "../../lib/request";
import { counted } from "../../lib/text";
import { ChooseDialog } from "../../shared/govern/dialogs";
import { ProductAssetsOf } from "../../shared/govern/govern.operations";
import { MoveApplicationUp, PutIntoApplication, PutIntoDomain, PutIntoProduct, PutTagOn, TakeOutOfApplication, TakeTagOff } from "../../shared/govern/membership.operations";
import { OwnersCell, ownersText } from "../../shared/govern/people";
import { listedIn, type Listed } from "../../shared/govern/read";
import { readAssets } from "../../shared/govern/uses";

const size = 50;

interface Way {
  /** The index fields that find its assets. */
  field: string | readonly string[];
  about: string;
  empty: string;
  put: (urn: string, assets: readonly string[]) => Promise<unknown>;
  take: (urn: string, asset: string) => Promise<unknown>;
  /** The effect of the removal of an asset. */
  out: string | ((asset: string) => string);
}

const refs = (urns: readonly string[]) => urns.map((resourceUrn) => ({ resourceUrn }));

const isApplication = (urn: string) => typeOf(urn) === "application";

// The fields, texts and mutations for each holder type.
const ways: Readonly<Record<string, Way>> = {
  domain: {
    field: "domains",
    about: "An asset is in one domain. One that is in another domain now leaves it.",
    empty: "Add what the domain answers for. Sub-domains have lists of their own.",
    put: (domainUrn, assets) => change(PutIntoDomain, { input: { domainUrn, resources: refs(assets) } }),
    take: (_, asset) => change(PutIntoDomain, { input: { resources: refs([asset]) } }),
    out: "The asset stays, without a domain.",
  },
  dataProduct: {
    field: "dataProducts",
    about: "An asset is in one data product. One that is in another product now leaves it.",
    empty: "Add what the product offers to those who read it.",
    put: (dataProductUrn, assets) => change(PutIntoProduct, { input: { dataProductUrn, resourceUrns: [...assets] } }),
    take: (_, asset) => change(PutIntoProduct, { input: { resourceUrns: [asset] } }),
    out: "The asset stays, without a data product.",
  },
  application: {
    field: ["applications", "parentApplication"],
    about: "An asset may belong to several applications.",
    empty: "Add what the application writes and reads.",
    put: (applicationUrn, assets) => change(PutIntoApplication, { input: { applicationUrn, resourceUrns: [...assets] } }),
    take: (applicationUrn, asset) => (isApplication(asset) ? change(MoveApplicationUp, { urn: asset }) : change(TakeOutOfApplication, { input: { applicationUrn, resourceUrns: [asset] } })),
    out: (asset) => (isApplication(asset) ? "The application stays, below no other one." : "The asset stays. Its other applications keep it."),
  },
  tag: {
    field: "tags",
    about: "The tag is put on each asset as a whole. On a column it is put where the column is read.",
    empty: "Put it on the assets that it says something about.",
    put: (tagUrn, assets) => change(PutTagOn, { input: { tagUrns: [tagUrn], resources: refs(assets) } }),
    take: (tagUrn, asset) => change(TakeTagOff, { input: { tagUrns: [tagUrn], resources: refs([asset]) } }),
    out: "The asset as a whole loses the tag. Columns that carry it keep it.",
  },
};

/** The types with this tab, as in URNs. */
export const holders = Object.keys(ways);

const assetTypes = ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "CONTAINER", "MLMODEL", "MLFEATURE", "MLFEATURE_TABLE", "NOTEBOOK"] as const;

async function read(type: string, field: Way["field"], urn: string, text: string, start: number, count: number, signal?: AbortSignal): Promise<{ items: Listed[]; total: number }> {
  if (type !== "dataProduct") {
    return readAssets(field, urn, { text, start, count }, signal);
  }
  const { data } = await run(ProductAssetsOf, { urn, columns: false, input: { query: text || "*", start, count, searchFlags: { skipAggregates: true, skipHighlighting: true } } }, signal);
  return pageIn(data.listDataProductAssets, listedIn);
}

/** The assets of a domain, data product, application or tag, with actions to add and remove them. */
export default function AssetsTab({ urn, type }: { urn: string; type: string }) {
  const way = ways[type];
  return way ? <Assets urn={urn} type={type} way={way} /> : null;
}

function Assets({ urn, type, way }: { urn: string; type: string; way: Way }) {
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const [text] = useDebouncedValue(get("find").trim(), 200);
  const start = startOf(get("page"), size);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Listed | null>(null);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["assets-of", way.field, urn, text, start],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => read(type, way.field, urn, text, start, size, signal),
  });
  const changed = async () => {
    await Promise.all([["assets-of"], ["domains"], ["collections"], ["tags"], ["asset"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
  const what = kindOf(type).one;
  const add = (
    <Button icon={<AddIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setAdding(true)}>
      Add assets
    </Button>
  );
  return (
    <>
      <Tools>
        <Find label="Find an asset here" value={get("find")} onChange={(find) => set({ find, page: "" })} />
        <span className="row end wrap">
          <Export
            name="assets"
            head={["Asset", "Type", "Platform", "Owners", "URN"]}
            rows={async () => {
              const all = await everyPage((from, count) => read(type, way.field, urn, text, from, count), { size: 200 });
              return { rows: all.items.map((asset) => [asset.name, typeName(asset.type, 1), asset.platform, ownersText(asset.owners), asset.urn]), total: all.total };
            }}
          />
          {add}
        </span>
      </Tools>
      {error ? (
        <Failure what="the assets" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={6} what="the assets" />
      ) : data.items.length === 0 ? (
        <Empty
          icon={<DatasetIcon size={20} stroke={1.5} aria-hidden />}
          title={text ? "No asset matches" : "No asset yet"}
          actions={text ? <Button onClick={() => set({ find: "", page: "" })}>Show all</Button> : null}
        >
          {text ? "Names, descriptions and columns are searched." : way.empty}
        </Empty>
      ) : (
        <Kept old={isPlaceholderData}>
          <Rows
            label="Assets"
            head={["Asset", "Type", "Platform", "Owner", "Actions"]}
            items={data.items}
            keyOf={(asset) => asset.urn}
            row={(asset) => (
              <>
                <td>
                  <Asset urn={asset.urn} name={asset.name} type={asset.type} />
                </td>
                <td className="muted" data-label="Type">
                  {typeName(asset.type, 1)}
                </td>
                <td className="muted" data-label="Platform">
                  {asset.platform || <span className="faint">None</span>}
                </td>
                <td data-label="Owner">
                  <OwnersCell owners={asset.owners} />
                </td>
                <td className="right">
                  <Button size="small" look="quiet" label={`Take out ${asset.name}`} icon={<CloseIcon size={14} stroke={1.5} aria-hidden />} onClick={() => setRemoving(asset)} />
                </td>
              </>
            )}
          />
          <Pager label="assets" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
        </Kept>
      )}
      {adding && (
        <ChooseDialog
          title="Add assets"
          about={way.about}
          verb="Add assets"
          what="an asset"
          find="Find an asset"
          types={assetTypes}
          multiple
          onClose={() => setAdding(false)}
          onChoose={async (chosen) => {
            await way.put(urn, [...chosen.keys()]);
            await changed();
            toast({ title: `${counted(chosen.size, "asset")} added` });
          }}
        />
      )}
      {removing && (
        <Confirm
          title={`Take ${removing.name} out of the ${what}?`}
          verb="Take out"
          keep="Leave it in"
          onClose={() => setRemoving(null)}
          onConfirm={async () => {
            await way.take(urn, removing.urn);
            await changed();
            toast({ title: `${removing.name} was taken out` });
          }}
        >
          {typeof way.out === "string" ? way.out : way.out(removing.urn)}
        </Confirm>
      )}
    </>
  );
}
