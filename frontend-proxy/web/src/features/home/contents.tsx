import type { ReactNode } from "react";
import { Link } from "wouter";

import { useSession } from "../../shared/session/session";
import { Asset, Glyph } from "../../components/asset";
import { Lines, Where } from "../../components/asset-lines";
import { ClockIcon, EditIcon, FailIcon, IncidentIcon, InfoIcon, PassIcon } from "../../components/icons";
import { Code, Meter, Note, Section, When } from "../../components/parts";
import { assetPath, typeName } from "../../lib/asset";
import { address } from "../../lib/base";
import { listIn, numberIn, textIn } from "../../lib/answer";
import { entitiesIn, pageIn, rowEntitiesIn } from "../../lib/found";
import { lineOf } from "../../lib/line";
import { nameIn } from "../../lib/name";
import { useNow } from "../../lib/now";
import type { Viewed } from "../../lib/recent";
import { counted, numberText, plainText } from "../../lib/text";
import { dateText } from "../../lib/time";
import { failingText, statesIn } from "../../shared/failing/inputs";
import type { HomeQuery } from "./home.operations";
import { countsOf, ending, peopleTypes, percent, postsIn, type Post } from "./needs";
import styles from "./home.module.css";

const mostTypes = 6;
const mostDomains = 6;
// Assets come before their parents, such as containers, and before people and groups.
const soughtTypes = ["DATASET", "DASHBOARD", "CHART", "DATA_FLOW", "DATA_JOB", "GLOSSARY_TERM"];
const rank = (type: string) => (soughtTypes.includes(type) ? soughtTypes.indexOf(type) : soughtTypes.length);

const searchFor = (field: string, values: readonly string[]) => `/search?${new URLSearchParams({ query: "*", [`filter_${field}___false___EQUAL___0`]: values.join(",") }).toString()}`;

/** The home page below the search: catalog contents, own assets, open tasks. */
export default function Contents({ data, seen }: { data: HomeQuery; seen: readonly Viewed[] }) {
  // Users do not count as content: a new catalog contains only users.
  const bare = [data.owned, data.used].every((found) => rowEntitiesIn(found?.searchResults).length === 0) && entitiesIn(data.recent).length === 0;
  const none = countsOf(data.counts, "platform").length === 0;
  return (
    <>
      <Announcements posts={postsIn(data.posts)} />
      <Counts data={data} />
      <Failing data={data} />
      <div className={styles["columns"]}>
        <div>
          {bare && <Start title={none ? "Nothing is in the catalog yet" : "Put more in"} />}
          <Owned data={data} />
          <Recent data={data} seen={seen} />
        </div>
        <aside aria-label="Needs you, and domains">
          <Needs data={data} />
          <Domains data={data} />
        </aside>
      </div>
      {!bare && <Start title="Put more in" />}
    </>
  );
}

function Announcements({ posts }: { posts: readonly Post[] }) {
  return (
    posts.length > 0 && (
      <ul className={styles["posts"]} aria-label="Announcements">
        {posts.map(({ urn, title, text, link }) => (
          <li key={urn}>
            <Note tone="info" title={title}>
              {plainText(text)} {link && <a href={link} rel="noopener noreferrer">Read more</a>}
            </Note>
          </li>
        ))}
      </ul>
    )
  );
}

function Counts({ data }: { data: HomeQuery }) {
  const types = countsOf(data.counts, "_entityType")
    .filter(({ value }) => !peopleTypes.has(value))
    .toSorted((a, b) => rank(a.value) - rank(b.value) || b.count - a.count);
  return types.length === 0 ? null : (
    <nav className={styles["counts"]} aria-label="Assets by type">
      {types.slice(0, mostTypes).map(({ value, count }) => (
        <Link key={value} href={searchFor("_entityType", [value])}>
          <b className="num">{numberText(count)}</b> <span>{typeName(value, count)}</span>
        </Link>
      ))}
    </nav>
  );
}

// Failing checks and open incidents of the whole catalog. Without any checks and incidents the section is hidden.
function Failing({ data }: { data: HomeQuery }) {
  const states = statesIn(data.states);
  const checks = listIn(data.failing?.searchResults);
  const assets = new Set(checks.map(({ entity }) => textIn(entity?.dataset?.urn)).filter(Boolean));
  const text = failingText(states, checks.length === data.failing?.total ? assets.size : undefined, numberIn(data.open?.total) ?? 0);
  if (text === "" && states.passing === 0) {
    return null;
  }
  return (
    <p className={styles["failing"]}>
      <span className="break">
        {text === "" ? <PassIcon size={16} stroke={1.5} className="ok" aria-hidden /> : <FailIcon size={16} stroke={1.5} className="bad" aria-hidden />}
        <b>Failing now</b> {text === "" ? `Nothing. ${counted(states.passing, "check")} ${states.passing === 1 ? "passes" : "pass"}, and no incident is open.` : `${text}.`}
      </span>
      <Link href="/failing">{text === "" ? "Open" : "Show what fails"}</Link>
    </p>
  );
}

// A user without own assets sees the most used assets instead.
function Owned({ data }: { data: HomeQuery }) {
  const { urn: me, groups } = useSession();
  const { items: owned, total } = pageIn(data.owned, lineOf);
  const used = rowEntitiesIn(data.used?.searchResults).map(lineOf);
  if (owned.length > 0) {
    return (
      <Section
        title="Owned by you"
        tools={
          <>
            <span className="faint num">{numberText(total)}</span>
            <Link href={searchFor("owners", [me, ...groups])}>See all</Link>
          </>
        }
      >
        <Lines label="Owned by you" lines={owned} />
      </Section>
    );
  }
  return (
    used.length > 0 && (
      <Section title="Most used in 30 days" tools={<Link href="/search?query=*&sort=used">See all</Link>}>
        <Lines label="Most used in 30 days" lines={used} />
      </Section>
    )
  );
}

function Recent({ data, seen }: { data: HomeQuery; seen: readonly Viewed[] }) {
  const seenAt = new Map(seen.map((each) => [each.urn, each.at]));
  const lines = entitiesIn(data.recent).map(lineOf);
  return (
    lines.length > 0 && (
      <Section title="Recently viewed">
        <ul className={styles["recent"]}>
          {lines.map((line) => (
            <li key={line.urn}>
              <Asset urn={line.urn} name={line.name} type={line.type} subType={line.subType} />
              <Where line={line} />
              <span className="faint small end">
                <When at={seenAt.get(line.urn) ?? 0} />
              </span>
            </li>
          ))}
        </ul>
      </Section>
    )
  );
}

function Needs({ data }: { data: HomeQuery }) {
  const now = useNow();
  const { urn: me, groups } = useSession();
  const failing = rowEntitiesIn(data.owned?.searchResults).map(lineOf).filter(({ state }) => state?.tone === "bad");
  const open = rowEntitiesIn(data.troubled?.searchResults).filter(({ urn }) => !failing.some((line) => line.urn === urn));
  const tokens = ending(data.tokens, now);
  const { items: [first], total: bare } = pageIn(data.bare, (entity) => ({ urn: entity.urn, name: nameIn(entity) }));
  const needs: [string, ReactNode, ReactNode, ReactNode][] = [
    ...failing.map(({ urn, name, state }): [string, ReactNode, ReactNode, ReactNode] => [
      urn,
      <IncidentIcon key="icon" size={16} stroke={1.5} className="bad" aria-hidden />,
      <>
        <Link href={assetPath(urn)}>{name}</Link> needs a look
      </>,
      state?.text,
    ]),
    ...open.map((entity): [string, ReactNode, ReactNode, ReactNode] => [
      entity.urn,
      <IncidentIcon key="icon" size={16} stroke={1.5} className="bad" aria-hidden />,
      <>
        <Link href={assetPath(entity.urn)}>{nameIn(entity)}</Link> has an open incident
      </>,
      null,
    ]),
    ...tokens.slice(0, 3).map(({ id, name, expiresAt }): [string, ReactNode, ReactNode, ReactNode] => [
      id,
      <ClockIcon key="icon" size={16} stroke={1.5} className="warn" aria-hidden />,
      <>
        Token <Link href="/settings/tokens?state=ending">{name}</Link> ends soon
      </>,
      `Make a new one before ${dateText(expiresAt)}`,
    ]),
  ];
  if (bare > 0 && first) {
    const all = new URLSearchParams({ query: "*", filter_owners___false___EQUAL___0: [me, ...groups].join(","), filter_description___true___EXISTS___1: "", filter_editedDescription___true___EXISTS___2: "" });
    needs.push([
      "bare",
      <EditIcon key="icon" size={16} stroke={1.5} className="faint" aria-hidden />,
      <>
        <Link href={`/search?${all.toString()}`}>{counted(bare, "asset")}</Link> of yours {bare === 1 ? "has" : "have"} no description
      </>,
      <>
        Start with the most used: <Link href={assetPath(first.urn)}>{first.name}</Link>
      </>,
    ]);
  }
  return (
    <Section title="Needs you" tools={needs.length > 0 && <span className="faint num">{needs.length}</span>}>
      {needs.length === 0 ? (
        <p className="muted row">
          <InfoIcon size={16} stroke={1.5} aria-hidden />
          Nothing waits for you.
        </p>
      ) : (
        <ul className={styles["needs"]}>
          {needs.map(([key, icon, what, more]) => (
            <li key={key}>
              {icon}
              <div className="break">
                <p>{what}</p>
                {more && <p className="muted small">{more}</p>}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Domains({ data }: { data: HomeQuery }) {
  const owned = new Map(countsOf(data.kept, "domains").map(({ value, count }) => [value, count]));
  const domains = countsOf(data.counts, "domains").slice(0, mostDomains);
  return (
    domains.length > 0 && (
      <Section title="Domains" tools={<span className="faint small">Assets, share with an owner</span>}>
        <ul className={styles["domains"]}>
          {domains.map(({ value, count, entity }) => {
            const share = percent(owned.get(value) ?? 0, count);
            return (
              <li key={value}>
                <Link href={assetPath(value)} className={styles["domain"]}>
                  <Glyph type="domain" />
                  <span className="clip">{nameIn(entity ?? { urn: value })}</span>
                </Link>
                <span className="num muted right">{numberText(count)}</span>
                <Meter share={share / 100} />
                <span className="num faint small right">{share}%</span>
              </li>
            );
          })}
        </ul>
      </Section>
    )
  );
}

function Start({ title }: { title: string }) {
  return (
    <Section title={title}>
      <p className={`muted ${styles["how"]}`}>
        Recipes of the <code>datahub</code> command line work as they are: their sink is this address. A token for them is made in the <Link href="/settings/tokens">settings</Link>.
      </p>
      <Code label="Where recipes send metadata" text={`sink:\n  type: datahub-rest\n  config:\n    server: ${location.origin}${address("/api/gms")}\n    token: \${CARTULARY_TOKEN}`} />
    </Section>
  );
}
