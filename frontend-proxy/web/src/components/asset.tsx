import { createElement, type CSSProperties, type ReactNode } from "react";
import { Link } from "wouter";

import { assetPath, kindOf, monogram, typeOf } from "../lib/asset";
import styles from "./asset.module.css";
import {
  AppIcon,
  BrainIcon,
  ChartIcon,
  CheckIcon,
  CloseIcon,
  ColumnIcon,
  ContainerIcon,
  DashboardIcon,
  DatasetIcon,
  DocumentIcon,
  DomainIcon,
  FormIcon,
  GroupIcon,
  IncidentIcon,
  PersonIcon,
  PipelineIcon,
  PlatformIcon,
  ProductIcon,
  QueryIcon,
  RemovedIcon,
  TagIcon,
  TaskIcon,
  TermIcon,
  TestsIcon,
  TopicIcon,
  UnknownIcon,
  ViewIcon,
} from "./icons";
import { CopyButton } from "./parts";

const glyphs: Readonly<Record<string, typeof UnknownIcon>> = {
  application: AppIcon,
  assertion: CheckIcon,
  chart: ChartIcon,
  check: CheckIcon,
  column: ColumnIcon,
  container: ContainerIcon,
  dashboard: DashboardIcon,
  "data contract": CheckIcon,
  "data product": ProductIcon,
  dataset: DatasetIcon,
  document: DocumentIcon,
  domain: DomainIcon,
  feature: ColumnIcon,
  "feature table": DatasetIcon,
  form: FormIcon,
  group: GroupIcon,
  incident: IncidentIcon,
  model: BrainIcon,
  "model group": BrainIcon,
  notebook: DocumentIcon,
  person: PersonIcon,
  pipeline: PipelineIcon,
  platform: PlatformIcon,
  "platform instance": PlatformIcon,
  query: QueryIcon,
  run: TaskIcon,
  tag: TagIcon,
  task: TaskIcon,
  term: TermIcon,
  "term group": TermIcon,
  test: TestsIcon,
};

const subGlyphs: Readonly<Record<string, typeof UnknownIcon>> = { topic: TopicIcon, view: ViewIcon };

const own = (table: Readonly<Record<string, typeof UnknownIcon>>, key: string) => (Object.hasOwn(table, key) ? table[key] : undefined);

interface GlyphProps {
  /** The asset type, either as in the URN or as in GraphQL. */
  type: string;
  /** The name that the platform uses for this kind of asset, such as "View". */
  subType?: string | null | undefined;
  size?: 14 | 16 | 20;
}

/** The icon of an asset type in the colour of its family. The type name is always shown beside it. */
export function Glyph({ type, subType, size = 16 }: GlyphProps) {
  const { one, family } = kindOf(type);
  const icon = own(subGlyphs, (subType ?? "").toLowerCase()) ?? own(glyphs, one) ?? UnknownIcon;
  return createElement(icon, { size, stroke: 1.5, className: styles[family], "aria-hidden": true });
}

/** The initials of a platform. The full name is available as a tooltip and to screen readers. */
export function Platform({ name }: { name: string }) {
  return (
    <span className={styles["platform"]} title={name}>
      <span aria-hidden>{monogram(name)}</span>
      <span className="sr">{name}</span>
    </span>
  );
}

/** The path to an asset: its platform and the containers around it. */
export function Path({ platform, steps }: { platform?: string | undefined; steps: readonly ReactNode[] }) {
  return (
    <span className={styles["path"]}>
      {platform && <Platform name={platform} />}
      {steps.map((step, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a way has its steps by their place
        <span key={at} className="row">
          {at > 0 && <i aria-hidden>/</i>}
          {step}
        </span>
      ))}
    </span>
  );
}

interface AssetProps {
  urn: string;
  name: ReactNode;
  /** The GraphQL type, if it is more specific than the type in the URN. */
  type?: string | undefined;
  subType?: string | null | undefined;
  removed?: boolean | undefined;
}

/** The name of an asset, as a link to its page. */
export function Asset({ urn, name, type = typeOf(urn), subType, removed = false }: AssetProps) {
  if (removed) {
    return (
      <span className="row">
        <span className={`${styles["chip"]} ${styles["gone"]}`} title={urn}>
          <RemovedIcon size={16} stroke={1.5} aria-hidden />
          Removed asset
        </span>
        <CopyButton quiet label="Copy URN" text={urn} />
      </span>
    );
  }
  return (
    <Link className={styles["chip"] ?? ""} href={assetPath(urn)}>
      <Glyph type={type} subType={subType} />
      <span className="clip">{name}</span>
      <span className="sr">, {subType ?? kindOf(type).one}</span>
    </Link>
  );
}

interface PillProps {
  name: string;
  /** The URN of the entity that the name links to; without it, the name is plain text. */
  urn?: string | undefined;
  onRemove?: (() => void) | undefined;
}

const inside = ({ name, urn }: PillProps) =>
  urn ? (
    <Link className="clip" href={assetPath(urn)} title={name}>
      {name}
    </Link>
  ) : (
    <span className="clip" title={name}>
      {name}
    </span>
  );

const drop = ({ name, onRemove }: PillProps) =>
  onRemove && (
    <button type="button" className={styles["drop"]} aria-label={`Remove ${name}`} onClick={onRemove}>
      <CloseIcon size={12} stroke={1.8} aria-hidden />
    </button>
  );

/** A tag: a round pill with a dot in the colour that users assigned to the tag. */
export function TagPill({ colour, ...pill }: PillProps & { colour?: string | null | undefined }) {
  const dot = colour && /^#[0-9a-f]{3,8}$/iu.test(colour) ? ({ "--dot": colour } as CSSProperties) : undefined;
  return (
    <span className={styles["tag"]} style={dot}>
      {inside(pill)}
      {drop(pill)}
    </span>
  );
}

/** A glossary term: a square pill with a book icon. */
export function TermPill(pill: PillProps) {
  return (
    <span className={styles["term"]}>
      <TermIcon size={13} stroke={1.5} aria-hidden />
      {inside(pill)}
      {drop(pill)}
    </span>
  );
}
