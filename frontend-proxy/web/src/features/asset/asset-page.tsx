import { useState } from "react";
import { Link, useLocation } from "wouter";

import { NotFound } from "../../components/not-found";
import { useTitle } from "../../lib/title";
import { Glyph, Path } from "../../components/asset";
import { Boundary } from "../../components/boundary";
import { ButtonLink } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { ClockIcon, DatasetIcon, FailIcon, InfoIcon, LeaveIcon, LineageIcon, PassIcon, PersonIcon, WarnIcon } from "../../components/icons";
import { Badge, Bones, CopyButton, Failure } from "../../components/parts";
import { Tabs } from "../../components/tabs";
import { assetPath, typeName } from "../../lib/asset";
import { base } from "../../lib/base";
import { Fallback, lazy } from "../../lib/lazy";
import { useNow } from "../../lib/now";
import { problemOf } from "../../lib/problem";
import { counted, numberText, shortOf } from "../../lib/text";
import { agoText } from "../../lib/time";
import { isSafeLink } from "../../lib/safe-link";
import { placeOf } from "../../lib/asset-address";
import type { Asset } from "../../shared/asset/asset";
import styles from "./asset.module.css";
import { Notes } from "./notes";
import { callOf, useAsset } from "../../shared/asset/read";
import { SideSlot } from "../../shared/asset/slot";
import { tabsOf, titleOf, type Tab } from "../../shared/asset/tabs";

// Only for domains, products and applications.
const KeptSigns = lazy(() => import("./kept-signs"));
const Acts = lazy(() => import("./acts"));
const Side = lazy(() => import("./side"));
const Missing = lazy(() => import("./missing"));
const Unseen = lazy(() => import("./unseen"));

/** The page of an asset of any type, at /type/URN/tab. */
export default function AssetPage({ tabs }: { tabs: readonly Tab[] }) {
  const [path] = useLocation(); // renders again after navigation; the URN is read from the undecoded address
  const place = placeOf(location.pathname.slice(base.length));
  return place ? (
    <Boundary key={place.urn} what="this asset">
      <One {...place} tabs={tabs} />
    </Boundary>
  ) : (
    <NotFound path={path} />
  );
}

function One({ urn, tab, tabs }: { urn: string; tab: string; tabs: readonly Tab[] }) {
  const { asset, error, refetch } = useAsset(urn);
  if (asset === null) {
    return (
      <Fallback show={<Waiting urn={urn} />}>
        <Missing urn={urn} />
      </Fallback>
    );
  }
  if (asset?.restricted || (error && problemOf(error).reason === "refused")) {
    return (
      <Fallback show={<Waiting urn={urn} />}>
        <Unseen urn={urn} problem={error ? problemOf(error) : null} />
      </Fallback>
    );
  }
  return asset ? <Shown asset={asset} tab={tab} tabs={tabs} /> : <Waiting urn={urn} error={error} refetch={refetch} />;
}

function Waiting({ urn, error, refetch }: { urn: string; error?: unknown; refetch?: () => void }) {
  useTitle(shortOf(urn));
  return (
    <div className="page">
      <h1 className={styles["name"]}>{shortOf(urn)}</h1>
      {error ? <Failure what="this asset" error={error} {...(refetch ? { onRetry: refetch } : {})} /> : <Bones rows={8} what="this asset" />}
    </div>
  );
}

function Shown({ asset, tab, tabs }: { asset: Asset; tab: string; tabs: readonly Tab[] }) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const all = tabsOf(asset, tabs);
  const here = all.find(({ name }) => name.toLowerCase() === tab.toLowerCase()) ?? all[0];
  const title = here ? titleOf(here, asset) : "";
  useTitle(asset.name, here !== all[0] ? title : "");
  return (
    <>
      <Head asset={asset} tabs={all} here={here} />
      <div className={styles["body"]} data-wide={here?.wide}>
        <div className={styles["main"]}>
          <Notes asset={asset} />
          {here && (
            <Boundary what={title.toLowerCase()} key={here.name}>
              <Fallback show={<Bones rows={8} what={title.toLowerCase()} />}>
                <SideSlot value={slot}>
                  <here.load urn={asset.urn} type={asset.type} />
                </SideSlot>
              </Fallback>
            </Boundary>
          )}
        </div>
        {!here?.wide && (
          <div className={styles["column"]} data-own={here?.ownSide?.(asset)}>
            <div className={styles["slot"]} ref={setSlot} />
            {!here?.ownSide?.(asset) && (
              <Boundary what="what is known about it">
                <Fallback show={null}>
                  <Side asset={asset} />
                </Fallback>
              </Boundary>
            )}
          </div>
        )}
      </div>
    </>
  );
}

function Head({ asset, tabs, here }: { asset: Asset; tabs: readonly Tab[]; here: Tab | undefined }) {
  const { urn, type, name, subType, platform, path, externalUrl } = asset;
  return (
    <header className={styles["head"]}>
      <Path
        platform={platform?.name}
        steps={[
          ...(platform ? [<Step key={platform.urn} urn={platform.urn} name={platform.name} />] : []),
          ...path.map((step) => <Step key={step.urn} urn={step.urn} name={step.name} />),
          ...(platform || path.length > 0 ? [] : [<span key="type">{typeName(type, 2)}</span>]),
        ]}
      />
      <div className={styles["line"]}>
        <div className={styles["title"]}>
          <span className={styles["glyph"]}>
            <Glyph type={type} subType={subType} size={20} />
          </span>
          <h1 className={styles["name"]} dir="auto">
            {name}
          </h1>
        </div>
        <Badge>{subType || typeName(type, 1)}</Badge>
        <CopyButton quiet label="Copy URN" text={urn} />
        <div className={styles["acts"]}>
          {externalUrl && isSafeLink(externalUrl) && (
            <ButtonLink look="primary" href={externalUrl} target="_blank" rel="noreferrer noopener" icon={<LeaveIcon size={16} stroke={1.5} aria-hidden />}>
              Open in {platform?.name ?? "its platform"}
            </ButtonLink>
          )}
          {externalUrl && !isSafeLink(externalUrl) && (
            <span className="small muted break" dir="auto" title="It is not an address that a page may lead to.">
              {externalUrl.slice(0, 300)}
            </span>
          )}
          <CopyAs call={callOf(urn)} urn={urn} />
          <Fallback show={null}>
            <Acts asset={asset} />
          </Fallback>
        </div>
      </div>
      <Signs asset={asset} />
      <Tabs label="Parts of this asset" tabs={tabs.map((tab) => ({ value: tab.name, label: titleOf(tab, asset), count: tab.count?.(asset) }))} value={here?.name ?? ""} hrefOf={(tab) => assetPath(urn, tab)} />
    </header>
  );
}

const Step = ({ urn, name }: { urn: string; name: string }) => (
  <Link href={assetPath(urn)} className="clip" title={name}>
    {name}
  </Link>
);

const healthIcons = { ok: PassIcon, warn: WarnIcon, bad: FailIcon, plain: InfoIcon } as const;

function HealthIcon({ tone }: { tone: keyof typeof healthIcons }) {
  const Icon = healthIcons[tone];
  return <Icon size={16} stroke={1.5} aria-hidden />;
}

// The health types that the Quality tab details.
const ofQuality: ReadonlySet<string> = new Set(["ASSERTIONS", "INCIDENTS"]);

// Health, freshness, size and usage of an asset.
function Signs({ asset }: { asset: Asset }) {
  const { urn, health, updated, people, rows, dashboards, card, lastRun } = asset;
  const now = useNow();
  const signs = [
    card?.suspended && (
      <li key="suspended" data-tone="bad">
        <FailIcon size={16} stroke={1.5} aria-hidden />
        <b>Suspended</b>
      </li>
    ),
    card?.work && (
      <li key="work">
        <PersonIcon size={16} stroke={1.5} aria-hidden />
        <span className="clip">{card.work}</span>
      </li>
    ),
    card?.members !== undefined && (
      <li key="members">
        <PersonIcon size={16} stroke={1.5} aria-hidden />
        <Link href={assetPath(urn, "Members")}>{counted(card.members, "member")}</Link>
      </li>
    ),
    ...health.map(({ type, tone, text }, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- a kind may come twice
      <li key={`${type} ${index}`} data-tone={tone}>
        <HealthIcon tone={tone} />
        {ofQuality.has(type) ? (
          <Link className="clip" href={assetPath(urn, "Quality")}>
            {text}
          </Link>
        ) : (
          <b className="clip">{text}</b>
        )}
      </li>
    )),
    lastRun && (
      <li key="run" data-tone={lastRun.state.tone}>
        <HealthIcon tone={lastRun.state.tone} />
        <Link className="clip" href={assetPath(urn, "Runs")}>
          {lastRun.state.text === "Running" ? "Running now" : `Last run ${lastRun.state.text.toLowerCase()}`}
          {lastRun.startedAt !== undefined && `, ${agoText(lastRun.startedAt, now)}`}
        </Link>
      </li>
    ),
    updated !== undefined && (
      <li key="updated">
        <ClockIcon size={16} stroke={1.5} aria-hidden />
        Updated {agoText(updated, now)}
      </li>
    ),
    people !== undefined && (
      <li key="people">
        <PersonIcon size={16} stroke={1.5} aria-hidden />
        {counted(people, "person", "people")}, 30 days
      </li>
    ),
    rows !== undefined && (
      <li key="rows">
        <DatasetIcon size={16} stroke={1.5} aria-hidden />
        {numberText(rows)} {rows === 1 ? "row" : "rows"}
      </li>
    ),
    dashboards && dashboards.total > 0 && (
      <li key="dashboards">
        <LineageIcon size={16} stroke={1.5} aria-hidden />
        <Link href={assetPath(urn, "Lineage")}>
          Feeds {counted(dashboards.total, "dashboard")}
          {dashboards.partial && " or more"}
        </Link>
      </li>
    ),
  ].filter(Boolean);
  return (
    <ul className={styles["signs"]} aria-label={asset.kept && "How well its assets are kept"}>
      {signs}
      {asset.kept && (
        <Fallback show={<li>&nbsp;</li>}>
          <KeptSigns asset={asset} kept={asset.kept} />
        </Fallback>
      )}
    </ul>
  );
}
