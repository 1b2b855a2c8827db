import { useState } from "react";
import { Link } from "wouter";

import { Button } from "../../components/button";
import { Editable } from "../../components/editable";
import { assetPath, kindOf } from "../../lib/asset";
import { beginningOf, plainText } from "./about";
import { aboutOf, type Asset } from "./asset";
import { describe, reasonOf, useEdit, useUnchanged, withText } from "./edit";
import { isDescribable } from "./query";

/** The text about an asset, with editing in place. */
export function Description({ asset }: { asset: Asset }) {
  const edit = useEdit(asset.urn);
  const unchanged = useUnchanged(asset.urn);
  const text = aboutOf(asset);
  const reason = asset.type === "corpuser" ? "People write this themselves, in their profile." : isDescribable(asset.type) ? reasonOf(asset, "canEditDescription") : `The text about a ${kindOf(asset.type).one} is not changed here.`;
  return (
    <Editable
      label="description"
      value={text}
      empty="No description yet"
      long
      most={100_000}
      reason={reason}
      keep={`${asset.urn} about`}
      shown={<Beginning asset={asset} />}
      onSave={async (after, seen) => {
        await unchanged(seen, aboutOf);
        await edit(
          (before) => withText(before, after),
          () => describe(asset, after),
        );
      }}
    />
  );
}

// The panel shows many facts, so it shortens the text. A separate tab shows long texts.
function Beginning({ asset }: { asset: Asset }) {
  const [all, setAll] = useState(false);
  const text = aboutOf(asset);
  const beginning = beginningOf(text);
  if (all || !beginning.more) {
    return all ? plainText(text) : beginning.text;
  }
  return (
    <>
      {beginning.text}{" "}
      {isDescribable(asset.type) ? (
        <Link href={assetPath(asset.urn, "Documentation")} className="small nowrap">
          Read all
        </Link>
      ) : (
        <Button size="small" look="quiet" onClick={() => setAll(true)}>
          Read all
        </Button>
      )}
    </>
  );
}
