import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";

import { FormDialog } from "../../components/dialog";
import type { Names } from "../entities/entities";
import { toast } from "../../components/toast";
import { change } from "../../lib/request";
import { Pick } from "../govern/pick";
import styles from "../govern/govern.module.css";
import type { Kind } from "./collection";
import { CreateApplication, CreateProduct } from "./create.operations";

interface Props {
  kind: Kind;
  /** The domain of the new collection, if preset. */
  domain?: string;
  onMade: () => Promise<unknown>;
  onClose: () => void;
}

/** A dialog that creates a data product or an application with a name and a domain. */
export default function CreateCollection({ kind, domain, onMade, onClose }: Props) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [picked, setPicked] = useState<Names>(new Map());
  const domainUrn = domain ?? [...picked.keys()][0];
  const product = kind === "dataProduct";
  const what = product ? "data product" : "application";
  const undomained = product && domainUrn === undefined;
  return (
    <FormDialog
      title={`Create ${what}`}
      verb={`Create ${what}`}
      failed={`No ${what} was created`}
      complete={name.trim() !== "" && !undomained}
      onClose={onClose}
      onSubmit={async () => {
        const properties = { name: name.trim(), ...(description.trim() ? { description: description.trim() } : {}) };
        if (product) {
          await change(CreateProduct, { input: { properties, domainUrn: domainUrn ?? "" } });
        } else {
          await change(CreateApplication, { input: { properties, ...(domainUrn ? { domainUrn } : {}) } });
        }
        await onMade();
        toast({ title: `${name.trim()} was created` });
        onClose();
      }}
    >
      {(tried) => (
        <>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={tried && name.trim() === "" ? `The ${what} needs a name.` : null}
            maxLength={200}
            autoComplete="off"
            data-autofocus
          />
          <Textarea label="What it offers" value={description} onChange={(event) => setDescription(event.currentTarget.value)} maxLength={10_000} rows={3} />
          {domain === undefined && (
            <div>
              <span className={styles["label"]}>Domain</span>
              <Pick label="Find a domain" types={["DOMAIN"]} value={picked} onChange={setPicked} />
              {tried && undomained && (
                <p className="bad small" role="alert">
                  A data product belongs to a domain.
                </p>
              )}
            </div>
          )}
        </>
      )}
    </FormDialog>
  );
}
