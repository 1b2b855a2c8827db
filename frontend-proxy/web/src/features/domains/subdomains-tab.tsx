import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { useSession } from "../../shared/session/session";
import { Button } from "../../components/button";
import { Export } from "../../components/export";
import { AddIcon, DomainIcon } from "../../components/icons";
import { Bones, Empty, Failure, Tools } from "../../components/parts";
import { counted, shortOf } from "../../lib/text";
import { Acts, type Asked } from "./acts";
import { domainIn, exportCells, exportHead, rowsOf } from "./domain";
import { readLevel } from "./levels";
import { DomainTable } from "./table";

/** The direct subdomains of a domain. */
export default function SubdomainsTab({ urn }: { urn: string; type: string }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked | null>(null);
  const { data, error, refetch } = useQuery({ queryKey: ["domains", "level", urn], queryFn: ({ signal }) => readLevel(urn, signal) });
  const [here = null] = domainIn({ urn, properties: { name: "this domain", description: null } });
  if (error) {
    return <Failure what="the sub-domains" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={4} what="the sub-domains" />;
  }
  return (
    <>
      <Tools>
        <span className="muted small num">{counted(data.total, "sub-domain")}</span>
        <span className="row end wrap">
          <Export name={`${shortOf(urn)}-sub-domains`} head={exportHead} reason={data.domains.length === 0 ? "There is no sub-domain to export." : null} rows={async () => ({ rows: data.domains.map(exportCells), total: data.total })} />
          <Button
            icon={<AddIcon size={16} stroke={1.5} aria-hidden />}
            reason={may.createDomains || may.manageDomains ? null : "You need the privilege Create Domains."}
            onClick={() => setAsked({ domain: here, what: "create" })}
          >
            New sub-domain
          </Button>
        </span>
      </Tools>
      {data.domains.length === 0 ? (
        <Empty icon={<DomainIcon size={20} stroke={1.5} aria-hidden />} title="No sub-domain yet">
          Make one where a part of it has people and words of its own.
        </Empty>
      ) : (
        <DomainTable label="Sub-domains" rows={rowsOf(new Map([["", data.domains]]), new Set())} onAsk={setAsked} />
      )}
      {asked && <Acts asked={asked} onChanged={() => queries.invalidateQueries({ queryKey: ["domains"] })} onClose={() => setAsked(null)} />}
    </>
  );
}
