import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { Asset } from "../../components/asset";
import { Button } from "../../components/button";
import { AddIcon } from "../../components/icons";
import { Bones, Failure, Section } from "../../components/parts";
import { Rows } from "../../components/rows";
import { assetPath, typeName } from "../../lib/asset";
import { Fallback, lazy } from "../../lib/lazy";
import { numberText } from "../../lib/text";
import { Description } from "../../shared/asset/description";
import { useAsset } from "../../shared/asset/read";
import type { TabProps } from "../../shared/asset/tabs";
import shared from "../../shared/govern/govern.module.css";
import { OwnersCell } from "../../shared/govern/people";
import type { Collection } from "../../shared/products/collection";
import { addressOf, type Filter } from "../../shared/search/filters";
import { Acts, type Asked } from "./acts";
import { rowsOf, type Domain } from "./domain";
import { readOverview } from "./overview";
import { DomainTable } from "./table";
import styles from "./domains.module.css";

const CreateProduct = lazy(() => import("../../shared/products/create"));

const plus = <AddIcon size={14} stroke={1.5} aria-hidden />;

/** The overview of a domain: documentation, products, subdomains, assets and statistics. */
export default function OverviewTab({ urn }: TabProps) {
  const queries = useQueryClient();
  const { asset } = useAsset(urn);
  const { data, error, refetch } = useQuery({ queryKey: ["domains", "overview", urn], queryFn: ({ signal }) => readOverview(urn, signal) });
  const changed = () => Promise.all([["domains"], ["collections"], ["asset"]].map((queryKey) => queries.invalidateQueries({ queryKey })));
  return (
    <>
      <div className={styles["head"]}>{asset && <Description asset={asset} />}</div>
      {error ? (
        <Failure what="the overview" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Bones rows={8} what="the overview" />
      ) : (
        <>
          <Products urn={urn} products={data.products} onChanged={changed} />
          <Types urn={urn} types={data.types} />
          <Below urn={urn} domain={data.domain} below={data.below} onChanged={changed} />
        </>
      )}
    </>
  );
}

// The path of a search for direct assets of a domain.
function searchFor(urn: string, ...more: Filter[]) {
  const inDomain = { field: "domains", values: [urn], negated: false, condition: "EQUAL" };
  return `/search?${addressOf({ query: "*", filters: [inDomain, ...more], any: false, view: "", sort: "best", page: 1 }).toString()}`;
}

const is = (field: string, value: string): Filter => ({ field, values: [value], negated: false, condition: "EQUAL" });

interface Listed<Item> {
  items: readonly Item[];
  total: number;
}

// A link to the tab with the full list, if the list is truncated.
const Others = ({ urn, tab, listed: { items, total } }: { urn: string; tab: string; listed: Listed<unknown> }) =>
  total > items.length && <Link href={assetPath(urn, tab)}>{`All ${numberText(total)}`}</Link>;

function Products({ urn, products, onChanged }: { urn: string; products: Listed<Collection>; onChanged: () => Promise<unknown> }) {
  const [creating, setCreating] = useState(false);
  return (
    <Section
      title="Data products"
      tools={
        <>
          <Others urn={urn} tab="Products" listed={products} />
          <Button size="small" look="quiet" icon={plus} onClick={() => setCreating(true)}>
            New product
          </Button>
        </>
      }
    >
      {products.items.length === 0 ? (
        <p className="faint">No data product yet</p>
      ) : (
        <Rows
          label="Data products"
          head={["Product", "Assets", "Owner"]}
          numbers={["Assets"]}
          items={products.items}
          keyOf={(product) => product.urn}
          row={(product) => (
            <>
              <td>
                <Asset urn={product.urn} name={product.name} type="dataProduct" />
                {product.description && (
                  <span className={shared["about"]} dir="auto">
                    {product.description.slice(0, 200)}
                  </span>
                )}
              </td>
              <td className="right num" data-label="Assets">
                {numberText(product.assets)}
              </td>
              <td data-label="Owner">
                <OwnersCell owners={product.owners} />
              </td>
            </>
          )}
        />
      )}
      {creating && (
        <Fallback show={null}>
          <CreateProduct kind="dataProduct" domain={urn} onMade={onChanged} onClose={() => setCreating(false)} />
        </Fallback>
      )}
    </Section>
  );
}

function Types({ urn, types }: { urn: string; types: readonly { type: string; count: number }[] }) {
  return (
    <Section title="Assets by type" tools={types.length > 0 && <Link href={searchFor(urn)}>Open as search</Link>}>
      {types.length === 0 ? (
        <p className="faint">
          No asset yet. <Link href={assetPath(urn, "Assets")}>Add assets</Link>
        </p>
      ) : (
        <nav className={styles["counts"]} aria-label="Assets by type">
          {types.map(({ type, count }) => (
            <Link key={type} href={searchFor(urn, is("_entityType", type))}>
              <b className="num">{numberText(count)}</b> <span>{typeName(type, count)}</span>
            </Link>
          ))}
        </nav>
      )}
    </Section>
  );
}

function Below({ urn, domain, below, onChanged }: { urn: string; domain: Domain | undefined; below: Listed<Domain>; onChanged: () => Promise<unknown> }) {
  const { may } = useSession();
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <Section
      title="Sub-domains"
      tools={
        <>
          <Others urn={urn} tab="Subdomains" listed={below} />
          <Button
            size="small"
            look="quiet"
            icon={plus}
            reason={may.createDomains || may.manageDomains ? null : "You need the privilege Create Domains."}
            onClick={() => setAsked({ domain: domain ?? null, what: "create" })}
          >
            New sub-domain
          </Button>
        </>
      }
    >
      {below.items.length === 0 ? <p className="faint">No sub-domain yet</p> : <DomainTable label="Sub-domains" rows={rowsOf(new Map([["", below.items]]), new Set())} onAsk={setAsked} />}
      {asked && <Acts asked={asked} onChanged={onChanged} onClose={() => setAsked(null)} />}
    </Section>
  );
}
