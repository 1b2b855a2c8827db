import { useMantineColorScheme } from "@mantine/core";
import { useState, type ReactNode } from "react";

import { useTitle } from "../lib/title";
import { Asset, Path, TagPill, TermPill } from "../components/asset";
import { Button } from "../components/button";
import { CopyAs } from "../components/copy-as";
import { Confirm, FormDialog } from "../components/dialog";
import { Editable } from "../components/editable";
import { AddIcon, DeleteIcon, EditIcon, FailIcon, InfoIcon, KeyIcon, MoreIcon, PassIcon, PipelineIcon, WarnIcon } from "../components/icons";
import { Pager } from "../components/pager";
import { Badge, Bones, Code, CopyButton, Empty, Failure, Find, Letters, Meter, Note, PageHead, Person, Section, Segments, When } from "../components/parts";
import { RowMenu } from "../components/row-menu";
import { Rows } from "../components/rows";
import { Cut, Sign } from "../components/sign";
import { Tabs } from "../components/tabs";
import { toast } from "../components/toast";
import { useNow } from "../lib/now";
import { Problem } from "../lib/problem";
import styles from "./parts.module.css";

const small = { size: 14, stroke: 1.5, "aria-hidden": true } as const;
const icon = { size: 16, stroke: 1.5, "aria-hidden": true } as const;
const big = { size: 20, stroke: 1.5, "aria-hidden": true } as const;

const orders = "urn:li:dataset:(urn:li:dataPlatform:snowflake,fennmark.sales_mart.fct_orders,PROD)";
const long = "a_name_that_somebody_has_made_much_longer_than_any_column_that_could_ever_have_to_show_it_without_breaking_or_cutting_off";
const needs = "You need the privilege Generate Personal Access Tokens. Ask an administrator to add you to a policy that has it.";
const saved = () => Promise.resolve();
const refused = () => Promise.reject(new Problem("invalid", "Ilse changed this 1 min ago.", { status: 409 }));

/** All shared components in all their states. Available only in the development server. */
export default function Parts() {
  useTitle("Parts");
  const now = useNow();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <main className={`page ${styles["sheet"] ?? ""}`} id="main">
      <PageHead
        title="Parts"
        actions={
          <Segments
            label="Colours"
            value={colorScheme}
            options={[
              { value: "auto", label: "System" },
              { value: "light", label: "Light" },
              { value: "dark", label: "Dark" },
            ]}
            onChange={setColorScheme}
          />
        }
      >
        The parts that pages are made of, in every state. Not a page of the product.
      </PageHead>
      <div className={styles["grid"]}>
        <Cell title="Entity chip">
          <span className="row">
            <Asset urn={orders} name="fct_orders" />
            <Path platform="Snowflake" steps={["SALES_MART"]} />
          </span>
          <span className="row">
            <Asset urn="urn:li:dashboard:(looker,9)" name="Weekly trading" />
            <Path platform="Looker" steps={["Sales"]} />
          </span>
          <span className="row">
            <Asset urn="urn:li:dataFlow:(airflow,sales_daily,prod)" name="sales_daily" />
            <Path platform="Airflow" steps={["trading"]} />
          </span>
          <span className="row">
            <Asset urn="urn:li:glossaryTerm:net" name="Net sales" />
            <Path steps={["Glossary", "Trading"]} />
          </span>
          <Asset urn="urn:li:unheardOf:x" name="What has a type that is not known" />
          <Asset urn={orders} name={long} />
          <Asset urn={orders} name="fct_orders" removed />
        </Cell>
        <Cell title="Pills: shape first">
          <span className="row wrap">
            <TagPill name="pii" colour="#b4472f" />
            <TagPill name="gold" colour="#c79a1b" onRemove={() => {}} />
            <TagPill name="without a colour" />
          </span>
          <span className="row wrap">
            <TermPill name="Net sales" urn="urn:li:glossaryTerm:net" />
            <TermPill name="Order" onRemove={() => {}} />
          </span>
          <span className="row wrap">
            <TagPill name={long} />
          </span>
          <Person name="Sales data team" shape="group" />
          <span className="row">
            <Person name="Ilse" />
            <span className="faint small">Business owner</span>
          </span>
          <span className="row">
            <Letters name="Noor de Vries" size="large" />
            <Letters name="Sales" shape="group" size="large" />
          </span>
          <span className="row wrap">
            <Badge tone="warn" icon={<WarnIcon {...small} />}>
              Deprecated
            </Badge>
            <Badge tone="ok" icon={<PassIcon {...small} />}>
              Passing
            </Badge>
            <Badge tone="bad" icon={<FailIcon {...small} />}>
              Failing
            </Badge>
            <Badge tone="info" icon={<InfoIcon {...small} />}>
              Draft
            </Badge>
            <Badge>you</Badge>
          </span>
        </Cell>
        <Cell title="Buttons">
          <span className="row wrap">
            <Button look="primary">Save changes</Button>
            <Button>Discard</Button>
            <Button look="quiet">Cancel</Button>
          </span>
          <span className="row wrap">
            <Button look="danger">Revoke token</Button>
            <Button look="careful">Careful</Button>
            <Button size="small">Small</Button>
            <Button label="More" icon={<MoreIcon {...icon} />} />
          </span>
          <span className="row wrap">
            <Button look="primary" busy>
              Saving
            </Button>
            <Button busy>Busy</Button>
            <Button size="small" look="quiet" icon={<EditIcon {...small} />}>
              With an icon
            </Button>
          </span>
          <span className="row wrap">
            <Button reason={needs}>Generate personal access token</Button>
          </span>
          <Button look="primary" size="large" full>
            Large and full
          </Button>
        </Cell>
        <Cell title="Editable field">
          <Editable label="description" value="Every order line placed online or in store." empty="Add a description" onSave={saved} />
          <Editable label="empty text" value="" empty="Add a description" onSave={saved} />
          <Editable label="text that is refused" value="Saving this is refused" empty="Add a description" onSave={refused} />
          <Editable label="text that is not yours" value="Not allowed" empty="Add a description" reason="You need the privilege Edit description." onSave={saved} />
          <Editable label="long text" value={"A long text.\nIt has two lines."} empty="Add a description" long onSave={saved} />
        </Cell>
        <Cell title="Menus">
          <span className="row wrap">
            <CopyAs call={{ query: "{ me { corpUser { urn } } }" }} urn={orders} />
            <RowMenu
              label="More for fct_orders"
              actions={[
                { name: "Link for a new password", icon: <KeyIcon {...icon} />, onClick: () => {} },
                { name: "Delete user", icon: <DeleteIcon {...icon} />, onClick: () => {}, reason: "You need the privilege Manage Users & Groups." },
              ]}
            />
            <CopyButton text="copied" />
          </span>
          <span className="faint small">The token is always the name of a variable, never its text.</span>
          <Segments
            label="State"
            value="active"
            options={[
              { value: "all", label: "All", count: 1204 },
              { value: "active", label: "Active", count: 1190 },
              { value: "suspended", label: "Suspended", count: 14 },
            ]}
            onChange={() => {}}
          />
          <Tabs
            label="Tabs"
            tabs={[
              { value: "one", label: "Schema" },
              { value: "two", label: "Lineage" },
            ]}
            value="one"
            hrefOf={() => "/dev/parts"}
          />
        </Cell>
        <Cell title="Toasts and dialogs">
          <Asks />
        </Cell>
        <Cell title="Loading: bones with the final layout">
          <Bones rows={6} />
        </Cell>
        <Cell title="Empty">
          <Empty icon={<PipelineIcon {...big} />} title="No lineage yet" actions={<Button icon={<AddIcon {...icon} />}>Add upstream by hand</Button>}>
            Nothing has told the catalog what feeds this dataset.
          </Empty>
        </Cell>
        <Cell title="Error in one panel">
          <Failure what="lineage" error={new Problem("failed", "The service did not answer within 120 seconds.", { status: 504, requestId: "8f14e45f" })} onRetry={() => {}} />
          <Failure what="the audit log" error={new Problem("refused", "noor is unauthorized", { status: 403, privileges: ["VIEW_ANALYTICS"] })} />
        </Cell>
        <Cell title="Notes">
          <Note title="Nothing is filed here">The address may be old, or the asset removed.</Note>
          <Note tone="warn" title="You are offline">
            What you see was read 4 min ago. Edits wait until you are back.
          </Note>
          <Note tone="ok" title="You are signed out everywhere">
            Your access tokens go on working.
          </Note>
          <Note tone="info" title="A draft">
            Nobody sees it yet.
          </Note>
        </Cell>
        <Cell title="Figures and times">
          <Meter share={0.8} />
          <Meter share={0.33} tone="bad" />
          <Meter share={0.6} tone="accent" />
          <Meter share={1} tone="ok" />
          <span className="row">
            <When at={now - 42 * 60_000} />
            <span className="faint">or</span>
            <When at={now - 90 * 86_400_000} />
          </span>
        </Cell>
        <Cell title="Fields and identity">
          <Searching />
          <span className="row">
            <Sign size={30} />
            <Sign />
          </span>
          <Cut />
        </Cell>
      </div>
      <div className={styles["wide"]}>
        <Section title="Table" tools={<Button size="small">Tool</Button>}>
          <Rows
            label="Assets"
            head={["Name", "Rows", "State", "Actions"]}
            items={["fct_orders", "dim_customers", long]}
            keyOf={(name) => name}
            selected={(name) => name === "dim_customers"}
            row={(name) => (
              <>
                <td>
                  <span className="name break">{name}</span>
                </td>
                <td className="num" data-label="Rows">
                  {(1_204_331).toLocaleString("en-US")}
                </td>
                <td data-label="State">
                  <Badge tone="ok">Passing</Badge>
                </td>
                <td className="right">
                  <RowMenu label={`More for ${name}`} actions={[{ name: "Rename", icon: <EditIcon {...icon} />, onClick: () => {} }]} />
                </td>
              </>
            )}
          />
          <Pager label="assets" start={0} size={3} total={1204} onPage={() => {}} />
        </Section>
        <Section title="Text for programs">
          <Code label="A recipe" text={"sink:\n  type: datahub-rest\n  config:\n    server: https://catalog.example.com/api/gms"} />
        </Section>
      </div>
    </main>
  );
}

function Cell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles["cell"]}>
      <h2>{title}</h2>
      <div className={styles["stack"]}>{children}</div>
    </section>
  );
}

function Searching() {
  const [text, setText] = useState("");
  return <Find label="Find a part" value={text} onChange={setText} />;
}

function Asks() {
  const [open, setOpen] = useState<"confirm" | "typed" | "refused" | "form" | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <span className="row wrap">
        <Button size="small" onClick={() => toast({ title: "Tag gold added to 12 assets" })}>
          It worked
        </Button>
        <Button size="small" onClick={() => toast({ tone: "bad", title: "3 of 12 not changed", text: "You may not edit assets of Finance." })}>
          It did not
        </Button>
        <Button size="small" onClick={() => toast({ tone: "info", title: "10,000 rows exported", text: "The list has 12,400 rows." })}>
          In part
        </Button>
      </span>
      <span className="row wrap">
        {(["confirm", "typed", "refused", "form"] as const).map((which) => (
          <Button key={which} size="small" onClick={() => setOpen(which)}>
            Open {which}
          </Button>
        ))}
      </span>
      {open === "form" && (
        <FormDialog title="New tag" verb="Make tag" failed="No tag was made" complete={false} onSubmit={saved} onClose={close}>
          {(tried) => <p className={tried ? "bad" : "muted"}>{tried ? "A name is missing." : "Fields stand here."}</p>}
        </FormDialog>
      )}
      {open !== null && open !== "form" && (
        <Confirm title="Revoke ci-contract-check?" verb="Revoke token" onClose={close} onConfirm={open === "refused" ? refused : saved} {...(open === "typed" ? { typed: "ci-contract-check" } : {})}>
          Programs that use it are refused from now on. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
