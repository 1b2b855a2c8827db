import { useState } from "react";

import { Button } from "../../components/button";
import { Editable } from "../../components/editable";
import { kindOf } from "../../lib/asset";
import { aboutOf, plainText, type Asset } from "./asset";
import { describe, reasonOf, useEdit, useUnchanged, withText } from "./edit";
import { isDescribable } from "./query";

/** The text about an asset, changed where it is read. */
export function Description({ asset }: { asset: Asset }) {
  const edit = useEdit(asset.urn);
  const unchanged = useUnchanged(asset.urn);
  const text = aboutOf(asset);
  const reason = isDescribable(asset.type) ? reasonOf(asset, "canEditDescription") : `The text about a ${kindOf(asset.type).one} is not changed here.`;
  return (
    <Editable
      label="description"
      value={text}
      empty="No description yet"
      long
      most={100_000}
      reason={reason}
      keep={`${asset.urn} about`}
      shown={<Beginning text={text} />}
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

const longest = 420;

function Beginning({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const plain = plainText(text);
  return plain.length > longest && !all ? (
    <>
      {plain.slice(0, longest).trimEnd()}…{" "}
      <Button size="small" look="quiet" onClick={() => setAll(true)}>
        Read all
      </Button>
    </>
  ) : (
    plain
  );
}
