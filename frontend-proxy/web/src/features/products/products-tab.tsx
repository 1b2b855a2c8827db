import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { Button } from "../../components/button";
import { AddIcon, ProductIcon } from "../../components/icons";
import { KeepOpen } from "../../components/open-rows";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Tools } from "../../components/parts";
import { startOf, useParameters } from "../../lib/parameters";
import { counted } from "../../lib/text";
import { CollectionTable, CreateDialog, inputOf, readCollections } from "./list";

const size = 50;

/** The data products of a domain. */
export default function ProductsTab({ urn }: { urn: string; type: string }) {
  const queries = useQueryClient();
  const [get, set] = useParameters();
  const start = startOf(get("page"), size);
  const [creating, setCreating] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ["collections", "dataProduct", urn, start],
    queryFn: ({ signal }) => readCollections(inputOf("dataProduct", { domain: urn, start, count: size }), signal),
  });
  const changed = () => queries.invalidateQueries({ queryKey: ["collections"] });
  if (error) {
    return <Failure what="the data products" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="the data products" />;
  }
  return (
    <>
      <Tools>
        <span className="muted small num">{counted(data.total, "data product")}</span>
        <span className="end">
          <Button icon={<AddIcon size={16} stroke={1.5} aria-hidden />} onClick={() => setCreating(true)}>
            New product
          </Button>
        </span>
      </Tools>
      <KeepOpen
        value={data.items.length > 0 ? data.items : undefined}
        gone={false}
        scope={String(start)}
        empty={
          <Empty icon={<ProductIcon size={20} stroke={1.5} aria-hidden />} title="No data product yet">
            Offer what others build upon as a product of this domain.
          </Empty>
        }
      >
        {() => (
          <>
            <CollectionTable label="Data products" kind="dataProduct" items={data.items} scope={String(start)} onChanged={changed} />
            <Pager label="data products" start={start} size={size} total={data.total} onPage={(page) => set({ page: page > 1 ? String(page) : "" }, { push: true })} />
          </>
        )}
      </KeepOpen>
      {creating && <CreateDialog kind="dataProduct" domain={urn} onMade={changed} onClose={() => setCreating(false)} />}
    </>
  );
}
