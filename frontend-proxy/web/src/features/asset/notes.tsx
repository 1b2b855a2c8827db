import { Asset as Chip } from "../../components/asset";
import { nameOf, useNames } from "../../shared/entities/entities";
import { Note } from "../../components/parts";
import { kindOf, typeOf } from "../../lib/asset";
import { Fallback, lazy } from "../../lib/lazy";
import { dateText } from "../../lib/time";
import { isBare, type Asset } from "../../shared/asset/asset";
import styles from "./asset.module.css";

const Removed = lazy(() => import("./removed"));

/** Important notices about an asset: removal, deprecation, missing data. */
export function Notes({ asset }: { asset: Asset }) {
  if (!asset.removed && !asset.deprecation && !isBare(asset)) {
    return null;
  }
  return (
    <div className={styles["notes"]}>
      {asset.removed && (
        <Fallback show={<Note tone="warn" title={`${asset.name} was removed`} />}>
          <Removed asset={asset} />
        </Fallback>
      )}
      {asset.deprecation && <Deprecated deprecation={asset.deprecation} />}
      {isBare(asset) && (
        <Note title="Only its name is known">Something refers to this {kindOf(asset.type).one}, or its key was written, but nothing else has been. What you add here is kept.</Note>
      )}
    </div>
  );
}

function Deprecated({ deprecation: { note, until, by, successor } }: { deprecation: NonNullable<Asset["deprecation"]> }) {
  const names = useNames(successor ? [successor] : []);
  return (
    <Note tone="warn" title={until === undefined ? "Deprecated" : `Deprecated, goes on ${dateText(until)}`}>
      <span dir="auto">{note || "No reason was given."}</span>
      {by && ` Marked by ${by}.`}
      {successor && (
        <>
          {" "}
          Use <Chip urn={successor} name={nameOf(names, successor)} type={typeOf(successor)} /> instead.
        </>
      )}
    </Note>
  );
}
