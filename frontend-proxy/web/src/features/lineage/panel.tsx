import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";

import { Glyph, Path, TagPill } from "../../components/asset";
import { Button } from "../../components/button";
import { CloseIcon, LockIcon, RemovedIcon } from "../../components/icons";
import { Bones, Failure, Person } from "../../components/parts";
import { assetPath } from "../../lib/asset";
import { listIn, textIn } from "../../lib/answer";
import type { Column } from "../../lib/column";
import { entitiesIn } from "../../lib/found";
import { nameIn } from "../../lib/name";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { kindText, stateText, type Asset } from "./asset";
import { columnName, type Trace } from "../../shared/lineage/columns";
import { Sign } from "./graph-sign";
import type { Way } from "./graph";
import { LineageAbout, type LineageAboutQuery } from "./lineage.operations";
import styles from "./lineage.module.css";

interface Props {
  asset: Asset;
  root: string;
  assets: ReadonlyMap<string, Asset>;
  trace: Trace | null;
  only: boolean;
  further: (urn: string, way: Way) => number;
  /** The numbers of visible downstream and upstream neighbours. */
  links: { feeds: number; fedBy: number };
  /** The columns with known lineage. */
  columns: readonly string[];
  onMore: (urn: string, way: Way) => void;
  onOnly: (only: boolean) => void;
  onChoose: (urn: string) => void;
  onColumn: (column: Column) => void;
  onPath: (urn: string) => void;
  onClose: () => void;
}

/** The side panel of the selected asset: state, neighbours, and the path of the selected column through the asset. */
export default function Panel(props: Props) {
  const { asset, root, trace, only, further, links, onMore, onOnly, onPath, onClose } = props;
  const [, go] = useLocation();
  const state = stateText(asset);
  const self = asset.urn === root;
  return (
    <aside className={styles["side"]} aria-label="Chosen asset">
      <section>
        <div className="row">
          <h2 className={styles["big"]}>
            {asset.restricted ? (
              <LockIcon size={16} stroke={1.5} aria-hidden />
            ) : asset.removed || asset.unknown ? (
              <RemovedIcon size={16} stroke={1.5} aria-hidden />
            ) : (
              <Glyph type={asset.type} subType={asset.subType} />
            )}
            <span className="break">{asset.name}</span>
          </h2>
          <Button size="small" look="quiet" icon={<CloseIcon size={16} stroke={1.5} aria-hidden />} label="Close panel" onClick={onClose} />
        </div>
        <Path platform={asset.platform || undefined} steps={asset.path.length > 0 ? asset.path : [kindText(asset)]} />
        {asset.restricted ? (
          <p className={styles["about"]}>An asset is here that you may not view. Ask an administrator to add you to a policy that allows View Entity Page on it.</p>
        ) : (
          <>
            {!asset.unknown && <About urn={asset.urn} />}
            <div className={styles["acts"]}>
              <Button size="small" onClick={() => go(assetPath(asset.urn))}>
                Open
              </Button>
              {!self && (
                <Button size="small" onClick={() => go(assetPath(asset.urn, "Lineage"))}>
                  Centre here
                </Button>
              )}
              {!self && (
                <Button size="small" look="quiet" aria-pressed={only} onClick={() => onOnly(!only)}>
                  {only ? "Show all" : "Only its path"}
                </Button>
              )}
              {!self && (
                <Button size="small" look="quiet" onClick={() => onPath(asset.urn)}>
                  Light its path
                </Button>
              )}
            </div>
          </>
        )}
      </section>
      {!asset.restricted && (
        <section>
          <h3>State</h3>
          <dl className={styles["kv"]}>
            {state && (
              <>
                <dt>State</dt>
                <dd>{state}</dd>
              </>
            )}
            <dt>Health</dt>
            <dd className={styles["state"]}>
              <Sign {...asset} />
              {asset.healthText}
            </dd>
            <dt>Owner</dt>
            <dd>{asset.owners.length === 0 ? <span className="faint">No owner yet</span> : asset.owners.slice(0, 3).map((owner) => <Person key={owner.name} name={owner.name} shape={owner.group ? "group" : "person"} />)}</dd>
            <dt>Made from</dt>
            <dd>{counted(links.fedBy, "asset")} shown</dd>
            <dt>Feeds</dt>
            <dd>{counted(links.feeds, "asset")} shown</dd>
          </dl>
          <div className={styles["acts"]}>
            {(["up", "down"] as const)
              .filter((way) => further(asset.urn, way) > 0)
              .map((way) => (
                <Button key={way} size="small" onClick={() => onMore(asset.urn, way)}>
                  Show {numberText(further(asset.urn, way))} more {way === "up" ? "upstream" : "downstream"}
                </Button>
              ))}
          </div>
        </section>
      )}
      {trace ? <ColumnPath {...props} trace={trace} /> : <Columns {...props} />}
    </aside>
  );
}

function ColumnPath({ asset, assets, trace, onChoose }: Props & { trace: Trace }) {
  const path = trace.through(asset.urn);
  return (
    <section>
      <h3>Path of the column</h3>
      {path.length === 0 ? (
        <p className="muted">
          {trace.touches(asset.urn) ? "The column passes through this task." : "As far as the graph reaches, the column does not come through here."}
        </p>
      ) : (
        <ol className={styles["path"]}>
          {path.map(({ urn, path: column }) => (
            <li key={`${urn} ${column}`} aria-current={urn === asset.urn ? "step" : undefined}>
              <span>
                <button type="button" className="clip" title={assets.get(urn)?.name ?? urn} onClick={() => onChoose(urn)}>
                  {assets.get(urn)?.name ?? urn}
                </button>
                <code className="clip" title={column}>
                  {columnName(column)}
                </code>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const fewColumns = 30;

function Columns({ asset, columns, onColumn }: Props) {
  if (columns.length === 0) {
    return null;
  }
  return (
    <section>
      <h3>Columns with lineage</h3>
      <div className={styles["acts"]}>
        {columns.slice(0, fewColumns).map((path) => (
          <Button key={path} size="small" look="quiet" onClick={() => onColumn({ urn: asset.urn, path })}>
            <code>{columnName(path)}</code>
          </Button>
        ))}
        {columns.length > fewColumns && <span className="faint small">{numberText(columns.length - fewColumns)} more</span>}
      </div>
    </section>
  );
}

const aboutIn = ({ entity }: LineageAboutQuery) => ({
  description: textIn(entity?.editableProperties?.description) || textIn(entity?.properties?.description),
  tags: entitiesIn(listIn(entity?.tags?.tags).map(({ tag }) => tag)),
});

// Data that only the panel shows is loaded when the panel opens.
function About({ urn }: { urn: string }) {
  const { data, error, refetch } = useQuery({ queryKey: ["lineage", "about", urn], queryFn: async ({ signal }) => aboutIn((await run(LineageAbout, { urn }, signal)).data) });
  if (error) {
    return <Failure what="the description" error={error} onRetry={() => void refetch()} />;
  }
  if (!data) {
    return <Bones rows={2} what="the description" />;
  }
  const { description, tags } = data;
  return (
    <>
      {description && <p className={styles["about"]}>{description}</p>}
      {tags.length > 0 && (
        <div className={styles["acts"]}>
          {tags.slice(0, 5).map((tag) => (
            <TagPill key={tag.urn} urn={tag.urn} name={nameIn(tag)} colour={textIn(tag.properties?.colorHex)} />
          ))}
        </div>
      )}
    </>
  );
}
