import { useId, useState, type ReactNode } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { Asset as Chip, TagPill, TermPill } from "../../components/asset";
import { Boundary } from "../../components/boundary";
import { Button } from "../../components/button";
import { Choose } from "../../shared/pickers/choose";
import { AddIcon, CloseIcon, EditIcon, LeaveIcon } from "../../components/icons";
import { Letters } from "../../components/parts";
import { toast } from "../../components/toast";
import { assetPath, kindOf, typeOf } from "../../lib/asset";
import { problemOf } from "../../lib/problem";
import { change } from "../../lib/request";
import { counted, shortOf, words } from "../../lib/text";
import { isSafeLink } from "../../lib/safe-link";
import type { Asset, Owner } from "../../shared/asset/asset";
import { RemoveOwner, SetProduct } from "../../shared/asset/asset.operations";
import { useOwnershipTypes } from "../../shared/asset/ownership-types";
import styles from "./side.module.css";
import { Description } from "../../shared/asset/description";
import { NewLink, useLinkEdit } from "../../shared/asset/links";
import { Pills } from "../../shared/asset/pills";
import { addOwners, changeApplications, changeTags, changeTerms, createTag, difference, reasonOf, setDomain, setParentApplication, useEdit } from "../../shared/asset/edit";

/** The side panel of an asset: metadata beside its content, with editing in place. */
export default function Side({ asset }: { asset: Asset }) {
  const { has, type } = asset;
  return (
    <aside className={styles["side"]} aria-label={`About this ${kindOf(type).one}`}>
      {type !== "domain" && ( // the overview of a domain already begins with it
        <Guarded what="what it is about">
          <About asset={asset} />
        </Guarded>
      )}
      {asset.card && (
        <Guarded what="how to reach them">
          <Card card={asset.card} />
        </Guarded>
      )}
      {has.has("ownership") && (
        <Guarded what="the owners">
          <Owners asset={asset} />
        </Guarded>
      )}
      {(has.has("domain") || has.has("products") || has.has("applications") || has.has("parentApplications")) && (
        <Guarded what="where it is placed">
          <Placed asset={asset} />
        </Guarded>
      )}
      {has.has("glossaryTerms") && (
        <Guarded what="the terms">
          <Terms asset={asset} />
        </Guarded>
      )}
      {has.has("tags") && (
        <Guarded what="the tags">
          <Tags asset={asset} />
        </Guarded>
      )}
      {(has.has("structuredProperties") || asset.custom.length > 0) && (
        <Guarded what="the properties">
          <Properties asset={asset} />
        </Guarded>
      )}
      {has.has("institutionalMemory") && (
        <Guarded what="the links">
          <Links asset={asset} />
        </Guarded>
      )}
    </aside>
  );
}

const Guarded = ({ what, children }: { what: string; children: ReactNode }) => <Boundary what={what}>{children}</Boundary>;

/** A section of the panel with one small action. */
export function Part({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  );
}

const plus = <AddIcon size={16} stroke={1.5} aria-hidden />;

function About({ asset }: { asset: Asset }) {
  const { urn: me } = useSession();
  return (
    <Part title="About" action={asset.urn === me && <Link href="/settings/profile" className="small">Your profile</Link>}>
      <Description asset={asset} />
    </Part>
  );
}

// The contact details and the groups of a person, or of a group.
function Card({ card: { email, slack, phone, skills, manager, teams, teamCount, members } }: { card: NonNullable<Asset["card"]> }) {
  const ways: readonly [string, ReactNode][] = [
    ["Mail", /^[^\s?&]+@[^\s?&]+$/u.test(email) ? <a href={`mailto:${email}`}>{email}</a> : email],
    ["Slack", slack],
    ["Phone", phone],
    ["Reports to", manager && <Chip urn={manager.urn} name={manager.name} />],
    ["Skills", skills.join(", ")],
  ];
  const known = ways.filter(([, what]) => what);
  return (
    <>
      <Part title="Contact">
        {known.length === 0 && <p className="faint">No address yet</p>}
        <dl className={styles["pairs"]}>
          {known.map(([name, what]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className="break">{what}</dd>
            </div>
          ))}
        </dl>
      </Part>
      {members === undefined && (
        <Part title="Groups">
          {teams.length === 0 && <p className="faint">In no group yet</p>}
          <ul className={styles["refs"]}>
            {teams.map((team) => (
              <li key={team.urn}>
                <Chip urn={team.urn} name={team.name} />
              </li>
            ))}
            {teamCount > teams.length && <li className="faint">{counted(teamCount - teams.length, "more group")}</li>}
          </ul>
        </Part>
      )}
    </>
  );
}

function Owners({ asset }: { asset: Asset }) {
  const { urn, owners } = asset;
  const edit = useEdit(urn);
  const [role, setRole] = useState("urn:li:ownershipType:__system__technical_owner");
  const reason = reasonOf(asset, "canEditOwners");
  const roles = [...new Set(owners.map((owner) => owner.role.name))].map((name) => ({ name, mine: owners.filter((owner) => owner.role.name === name) }));
  const remove = (owner: Owner) =>
    void edit(
      (before) => ({ ...before, owners: before.owners.filter((each) => each.urn !== owner.urn || each.role.urn !== owner.role.urn) }),
      () => change(RemoveOwner, { input: { resourceUrn: urn, ownerUrn: owner.urn, ...(owner.role.urn ? { ownershipTypeUrn: owner.role.urn } : {}) } }),
    ).catch(tell("The owner was not removed"));
  return (
    <Part
      title="Owners"
      action={
        <Choose
          label="Add owners"
          icon={plus}
          types={["CORP_USER", "CORP_GROUP"]}
          chosen={[]}
          reason={reason}
          onSave={async (chosen) => {
            if (chosen.length === 0) {
              return;
            }
            const added = chosen.map((each): Owner => ({ ...each, group: typeOf(each.urn) === "corpGroup", role: { urn: role, name: "Owner" } }));
            await edit(
              (before) => ({ ...before, owners: [...before.owners, ...added] }),
              () => addOwners(urn, added, role),
            );
          }}
        >
          <RolePicker value={role} onChange={setRole} />
        </Choose>
      }
    >
      {owners.length === 0 && <p className="faint">No owner yet</p>}
      <dl className={styles["pairs"]}>
        {roles.map(({ name, mine }) => (
          <div key={name}>
            <dt className="break">{name}</dt>
            <dd>
              {mine.map((owner) => (
                <span key={owner.urn} className={styles["owner"]}>
                  <Letters name={owner.name} shape={owner.group ? "group" : "person"} />
                  <Link href={assetPath(owner.urn)} className="clip" title={owner.by ? `${owner.name}, from ${owner.by}` : owner.name}>
                    {owner.name}
                  </Link>
                  {reason === null && <Drop label={`Remove ${owner.name}, ${name}`} onClick={() => remove(owner)} />}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

const tell = (title: string) => (error: unknown) => toast({ tone: "bad", title, text: problemOf(error).message });

const Drop = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <button type="button" className={styles["drop"]} aria-label={label} title={label} onClick={onClick}>
    <CloseIcon size={14} stroke={1.5} aria-hidden />
  </button>
);

function RolePicker({ value, onChange }: { value: string; onChange: (urn: string) => void }) {
  const all = useOwnershipTypes();
  return (
    <label className={styles["role"]}>
      <span className="faint small">They own it as</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {!all.some(({ urn }) => urn === value) && <option value={value}>Technical owner</option>}
        {all.map(({ urn, info }) => (
          <option key={urn} value={urn}>
            {info?.name || words(urn.split(":").at(-1) ?? urn)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Placed({ asset }: { asset: Asset }) {
  const { urn, domain, products, applications, path, has } = asset;
  const edit = useEdit(urn);
  const above = path.at(-1);
  return (
    <Part title="Placed in">
      <dl className={styles["pairs"]}>
        {has.has("domain") && (
          <div>
            <dt>Domain</dt>
            <dd className={styles["placed"]}>
              {domain ? <Chip urn={domain.urn} name={domain.name} /> : <span className="faint">No domain yet</span>}
              <Choose
                label="Choose a domain"
                icon={<EditIcon size={14} stroke={1.5} aria-hidden />}
                types={["DOMAIN"]}
                chosen={domain ? [domain] : []}
                single
                reason={reasonOf(asset, "canEditDomains")}
                onSave={([after]) =>
                  edit(
                    (before) => ({ ...before, domain: after ?? null }),
                    () => setDomain(urn, after?.urn),
                  )
                }
              />
            </dd>
          </div>
        )}
        {has.has("products") && (
          <div>
            <dt>Product</dt>
            <dd className={styles["placed"]}>
              <span className={styles["refs"]}>
                {products.length === 0 && <span className="faint">No product yet</span>}
                {products.map((product) => (
                  <Chip key={product.urn} urn={product.urn} name={product.name} />
                ))}
              </span>
              <Choose
                label="Choose a data product"
                icon={<EditIcon size={14} stroke={1.5} aria-hidden />}
                types={["DATA_PRODUCT"]}
                chosen={products.slice(0, 1)}
                single
                reason={products.length > 1 ? "It is in several products. Take it out of them on their own pages." : reasonOf(asset, "canEditDataProducts")}
                onSave={([after]) =>
                  edit(
                    (before) => ({ ...before, products: after ? [after] : [] }),
                    () => change(SetProduct, { input: { resourceUrns: [urn], ...(after ? { dataProductUrn: after.urn } : {}) } }),
                  )
                }
              />
            </dd>
          </div>
        )}
        {has.has("parentApplications") && (
          <div>
            <dt>Part of</dt>
            <dd className={styles["placed"]}>
              {above ? <Chip urn={above.urn} name={above.name} /> : <span className="faint">No application yet</span>}
              <Choose
                label="Choose the application above"
                icon={<EditIcon size={14} stroke={1.5} aria-hidden />}
                types={["APPLICATION"]}
                chosen={above ? [above] : []}
                single
                onSave={([after]) =>
                  edit(
                    (before) => ({ ...before, path: after ? [after] : [] }),
                    () => setParentApplication(urn, after?.urn),
                  )
                }
              />
            </dd>
          </div>
        )}
        {has.has("applications") && (
          <div>
            <dt>Application</dt>
            <dd className={styles["placed"]}>
              <span className={styles["refs"]}>
                {applications.length === 0 && <span className="faint">No application yet</span>}
                {applications.map((application) => (
                  <Chip key={application.urn} urn={application.urn} name={application.name} />
                ))}
              </span>
              <Choose
                label="Choose applications"
                icon={<EditIcon size={14} stroke={1.5} aria-hidden />}
                types={["APPLICATION"]}
                chosen={applications}
                onSave={(after) =>
                  edit(
                    (before) => ({ ...before, applications: after }),
                    () => changeApplications(urn, difference(applications, after)),
                  )
                }
              />
            </dd>
          </div>
        )}
      </dl>
    </Part>
  );
}

function Terms({ asset }: { asset: Asset }) {
  const { urn, terms } = asset;
  const edit = useEdit(urn);
  return (
    <Part
      title="Terms"
      action={
        <Choose
          label="Choose terms"
          icon={plus}
          types={["GLOSSARY_TERM"]}
          chosen={terms}
          reason={reasonOf(asset, "canEditGlossaryTerms")}
          onSave={(after) =>
            edit(
              (before) => ({ ...before, terms: after }),
              () => changeTerms(urn, difference(terms, after)),
            )
          }
        />
      }
    >
      <Pills labels={terms} none="No term yet" pill={(term) => <TermPill name={term.name} urn={term.urn} />} />
    </Part>
  );
}

function Tags({ asset }: { asset: Asset }) {
  const { urn, tags } = asset;
  const edit = useEdit(urn);
  return (
    <Part
      title="Tags"
      action={
        <Choose
          label="Choose tags"
          icon={plus}
          types={["TAG"]}
          chosen={tags}
          reason={reasonOf(asset, "canEditTags")}
          onCreate={createTag}
          onSave={(after) =>
            edit(
              (before) => ({ ...before, tags: after.map((tag) => before.tags.find((each) => each.urn === tag.urn) ?? tag) }),
              () => changeTags(urn, difference(tags, after)),
            )
          }
        />
      }
    >
      <Pills labels={tags} none="No tag yet" pill={(tag) => <TagPill name={tag.name} urn={tag.urn} colour={tag.colour} />} />
    </Part>
  );
}

const fewProperties = 6;

function Properties({ asset }: { asset: Asset }) {
  const shown = [
    ...asset.properties.filter(({ hidden }) => !hidden).map(({ urn, name, values, refs }) => ({ key: urn, name, text: values.join(", "), refs })),
    ...asset.custom.map(({ key, value }, index) => ({ key: `${key} ${index}`, name: key, text: value, refs: [] })),
  ];
  return (
    <Part title="Properties" action={shown.length > 0 && <Link href={assetPath(asset.urn, "Properties")} className="small">{`All ${shown.length}`}</Link>}>
      {shown.length === 0 && <p className="faint">No property yet</p>}
      <dl className={styles["pairs"]}>
        {shown.slice(0, fewProperties).map(({ key, name, text, refs }) => (
          <div key={key}>
            <dt className="break">{name}</dt>
            <dd dir="auto" className="break">{/^urn:li:\w+:\S+$/u.test(text) ? <Chip urn={text} name={refs.find(({ urn }) => urn === text)?.name ?? shortOf(text)} /> : text.slice(0, 200)}</dd>
          </div>
        ))}
      </dl>
    </Part>
  );
}

function Links({ asset }: { asset: Asset }) {
  const { urn, links } = asset;
  const { add, remove } = useLinkEdit(urn);
  const [adding, setAdding] = useState(false);
  const reason = reasonOf(asset, "canEditLinks");
  return (
    <Part title="Links" action={<Button size="small" look="quiet" label="Add a link" icon={plus} reason={reason} onClick={() => setAdding(true)} />}>
      {links.length === 0 && !adding && <p className="faint">No link yet</p>}
      <ul className={styles["links"]}>
        {links.map(({ url, label }) => (
          <li key={`${url} ${label}`}>
            <LeaveIcon size={14} stroke={1.5} aria-hidden />
            {isSafeLink(url) ? (
              <a href={url} target="_blank" rel="noreferrer noopener" className="clip" title={url}>
                {label}
              </a>
            ) : (
              <span className="clip" title={`${url} is not an address that a page may lead to.`}>
                {label}
              </span>
            )}
            {reason === null && (
              <Drop
                label={`Remove the link ${label}`}
                onClick={() => void remove({ url, label }).catch(tell("The link was not removed"))}
              />
            )}
          </li>
        ))}
      </ul>
      {adding && (
        <NewLink
          onClose={() => setAdding(false)}
          onSave={add}
        />
      )}
    </Part>
  );
}
