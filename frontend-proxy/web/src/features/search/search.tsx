import { Drawer, Menu } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";

import { useSession } from "../../shared/session/session";
import { useTitle } from "../../lib/title";
import { Button } from "../../components/button";
import { CopyAs } from "../../components/copy-as";
import { useNames } from "../../shared/entities/entities";
import { Chip, Chips } from "../../components/filters";
import { DownloadIcon, DownIcon, FilterIcon, SearchIcon, SortIcon, TickIcon } from "../../components/icons";
import { Pager } from "../../components/pager";
import { Bones, Empty, Failure, Kept } from "../../components/parts";
import { listIn, numberIn, textIn } from "../../lib/answer";
import { rowsIn } from "../../lib/found";
import { Fallback, lazy } from "../../lib/lazy";
import { lineOf, type Line } from "../../lib/line";
import { wordsOf } from "../../lib/marks";
import { run } from "../../lib/request";
import { counted, numberText } from "../../lib/text";
import { Facets } from "./facets";
import { addressOf, askedIn, conditionText, facetsIn, pageInput, sorts, titleOf, toggled, valueText, variablesOf, type Asked, type Facet, type Filter } from "../../shared/search/filters";
import { Results } from "./results";
import { Search, Without, type SearchQuery } from "./search.operations";
import styles from "./search.module.css";
import { SelectionBar } from "./selection";
import { Views } from "./views";
import { nameIn } from "../../lib/name";

const ExportResults = lazy(() => import("./export-results"));
const size = 20;

/** The search page: results with matches, their number, and facets. */
export default function SearchPage() {
  const { usualView } = useSession();
  const [parameters, setParameters] = useSearchParams();
  const asked = askedIn(parameters, usualView);
  useTitle(asked.query === "*" ? "Search" : asked.query);
  const variables = variablesOf(asked, size);
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ["search", variables],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => ({ asked, answer: (await run(Search, variables, signal)).data }),
  });
  const [selected, setSelected] = useState<ReadonlyMap<string, string>>(new Map());
  const [sheet, setSheet] = useState(false);
  const [exporting, setExporting] = useState(false);

  const change = (some: Partial<Asked>) => {
    setParameters(addressOf({ ...asked, page: 1, ...some }, usualView));
    if (some.page !== undefined) {
      window.scrollTo(0, 0);
    }
  };
  const select = (lines: readonly Line[], on: boolean) =>
    setSelected((before) => {
      const after = new Map(before);
      for (const { urn, name } of lines) {
        if (on) {
          after.set(urn, name);
        } else {
          after.delete(urn);
        }
      }
      return after;
    });

  const found = data?.answer.searchAcrossEntities;
  const facets = data ? facetsIn(data.answer, asked.filters) : [];
  const results = rowsIn(found).map(({ entity, matchedFields }) => ({ line: lineOf(entity), matched: matchedOf(matchedFields) }));
  const total = numberIn(found?.total) ?? 0;
  const shownFor = data?.asked.query ?? asked.query;
  const onToggle = (field: string, value: string) => change({ filters: toggled(asked.filters, field, value) });
  const onClear = () => change({ filters: [], view: "" });

  return (
    <div className={styles["page"]}>
      <aside className={styles["facets"]} aria-label="Filters">
        {data ? <Facets facets={facets} filters={asked.filters} onToggle={onToggle} /> : !error && <Bones rows={8} what="the filters" />}
      </aside>
      <div className={styles["results"]}>
        <h1 className="sr">Search</h1>
        <div className={styles["head"]}>
          <p role="status" data-stale={isPlaceholderData}>
            {data && (
              <>
                <b className="num">{numberText(total)}</b> <span className="muted">{shownFor === "*" ? (total === 1 ? "asset" : "assets") : total === 1 ? "result for" : "results for"}</span>
                {shownFor !== "*" && <b className="break"> {shownFor}</b>}
              </>
            )}
          </p>
          <div className={styles["acts"]}>
            <span className={styles["narrow"]}>
              <Button size="small" icon={<FilterIcon size={14} stroke={1.5} aria-hidden />} onClick={() => setSheet(true)}>
                {asked.filters.length > 0 ? `Filters, ${asked.filters.length}` : "Filters"}
              </Button>
            </span>
            <Views asked={asked} onChoose={(view) => change({ view })} />
            <span className="wide-only">
              <Button size="small" look="quiet" icon={<DownloadIcon size={14} stroke={1.5} aria-hidden />} reason={total === 0 ? "There is no result to export." : null} onClick={() => setExporting(true)}>
                Export
              </Button>
            </span>
            <span className="wide-only">
              <CopyAs call={{ query: Search.toString(), variables }} />
            </span>
            <Order asked={asked} onChange={change} />
          </div>
        </div>
        <ChosenFilters asked={asked} facets={facets} viewName={textIn(data?.answer.view?.name)} onChange={change} onClear={onClear} />
        {error ? (
          <Failure what="the results" error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <Kept old={isPlaceholderData}>
            {results.length > 0 ? (
              <Results results={results} words={wordsOf(shownFor)} selected={selected} onSelect={select} />
            ) : total > 0 ? (
              <Empty
                icon={<SearchIcon size={20} stroke={1.5} aria-hidden />}
                title={`There is no page ${numberText(asked.page)}`}
                actions={
                  <Button size="small" onClick={() => change({ page: 1 })}>
                    Go to the first page
                  </Button>
                }
              />
            ) : (
              !isPlaceholderData && <NothingFound asked={asked} facets={facets} onChange={change} onClear={onClear} />
            )}
            <Pager start={(data.asked.page - 1) * size} size={size} total={results.length > 0 ? total : 0} label="the results" onPage={(page) => change({ page })} />
          </Kept>
        ) : (
          <Bones rows={10} what="the results" />
        )}
      </div>
      <SelectionBar selected={selected} all={results.map(({ line }) => line)} onSelect={select} onClear={() => setSelected(new Map())} />
      {exporting && (
        <Fallback show={null}>
          <ExportResults asked={asked} total={total} onClose={() => setExporting(false)} />
        </Fallback>
      )}
      <Drawer opened={sheet} onClose={() => setSheet(false)} position="bottom" size="86%" closeButtonProps={{ "aria-label": "Close filters" }} title={`Filters${asked.filters.length > 0 ? `, ${asked.filters.length} chosen` : ""}`} classNames={{ body: styles["sheet"] ?? "" }}>
        <Facets facets={facets} filters={asked.filters} onToggle={onToggle} large />
        <div className={styles["foot"]}>
          <Button look="quiet" onClick={onClear} reason={asked.filters.length === 0 && !asked.view ? "No filter is chosen." : null}>
            Clear all
          </Button>
          <Button look="primary" size="large" full onClick={() => setSheet(false)}>
            Show {counted(total, "result")}
          </Button>
        </div>
      </Drawer>
    </div>
  );
}

interface Changes {
  asked: Asked;
  onChange: (some: Partial<Asked>) => void;
}

function Order({ asked, onChange }: Changes) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="small" icon={<SortIcon size={14} stroke={1.5} aria-hidden />}>
          <span className="sr">Sort by </span>
          {sorts.find(({ value }) => value === asked.sort)?.label}
          <DownIcon size={14} stroke={1.5} aria-hidden />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {sorts.map(({ value, label }) => (
          <Menu.RadioItem
            key={value}
            value={value}
            checked={value === asked.sort}
            checkIcon={<TickIcon size={14} stroke={1.5} aria-hidden />}
            closeMenuOnClick
            onChange={() => onChange({ sort: value })}
          >
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

// The facets already contain the names of counted values. Names of other values are requested.
function useValueNames(filters: readonly Filter[], facets: readonly Facet[]) {
  const known = new Map(facets.flatMap(({ values }) => values.flatMap(({ value, entity }) => (entity ? [[value, nameIn(entity)] as const] : []))));
  const steps = filters.flatMap(({ values }) => values.flatMap((value) => value.split("␟")));
  const names = useNames(steps.filter((value) => !known.has(value)));
  const nameOf = (value: string) => known.get(value) ?? names.get(value) ?? (value.startsWith("urn:li:") ? nameIn({ urn: value }) : value);
  return (field: string, value: string) => (value.startsWith("urn:li:") ? nameOf(value) : value.startsWith("␟") ? value.split("␟").filter(Boolean).map(nameOf).join(" / ") : valueText(field, value));
}

const mostNamed = 3;

const valuesText = ({ field, values }: Filter, name: (field: string, value: string) => string) => {
  const named = values.slice(0, mostNamed).map((value) => name(field, value));
  return values.length > mostNamed ? `${named.join(", ")} or ${numberText(values.length - mostNamed)} more` : named.join(" or ");
};

interface ChipsProps extends Changes {
  facets: readonly Facet[];
  viewName: string;
  onClear: () => void;
}

function ChosenFilters({ asked, facets, viewName, onChange, onClear }: ChipsProps) {
  const name = useValueNames(asked.filters, facets);
  if (asked.filters.length === 0 && !asked.view) {
    return <div className={styles["nochips"]} />;
  }
  return (
    <Chips onClear={onClear}>
      {asked.any && asked.filters.length > 1 && <span className="muted small">Any of</span>}
      {asked.view && (
        <Chip label="View is" value={viewName || "not readable"} onRemove={() => onChange({ view: "" })} />
      )}
      {asked.filters.map((filter, at) => (
        <Chip
          // oxlint-disable-next-line react/no-array-index-key -- a filter is its place in the address
          key={at}
          label={`${titleOf(filter.field)} ${conditionText(filter)}`}
          value={filter.condition === "EXISTS" ? "" : valuesText(filter, name)}
          onRemove={() => onChange({ filters: asked.filters.filter((other) => other !== filter) })}
        />
      ))}
    </Chips>
  );
}

interface NothingProps extends Changes {
  facets: readonly Facet[];
  onClear: () => void;
}

type Found = NonNullable<NonNullable<NonNullable<SearchQuery["searchAcrossEntities"]>["searchResults"]>[number]>;

const matchedOf = (fields: Found["matchedFields"]) => listIn(fields).map(({ name, value }) => ({ name: textIn(name), value: textIn(value) }));

const places = ["a", "b", "c", "d"] as const;

// The page without results. It suggests filters to remove, with the number of results without each of them.
function NothingFound({ asked, facets, onChange, onClear }: NothingProps) {
  const name = useValueNames(asked.filters, facets);
  const tried = asked.any ? [] : asked.filters.slice(0, places.length);
  const variables = {
    suggest: { query: asked.query, start: 0, count: 0, searchFlags: { getSuggestions: true, skipAggregates: true } },
    ...Object.fromEntries(
      tried.flatMap((filter, at) => {
        const place = places[at] ?? "a";
        return [
          [place, pageInput({ ...asked, page: 1, sort: "best" }, 0, asked.filters.filter((other) => other !== filter))],
          [`with${place.toUpperCase()}`, true],
        ];
      }),
    ),
  } as Parameters<NonNullable<(typeof Without)["__apiType"]>>[0];
  const { data } = useQuery({ queryKey: ["search-without", variables], queryFn: async ({ signal }) => (await run(Without, variables, signal)).data });
  const ways = tried.map((filter, at) => ({ filter, total: numberIn(data?.[places[at] ?? "a"]?.total) ?? 0 })).filter(({ total }) => total > 0);
  const words = listIn(data?.suggest?.suggestions).map((each) => ({ text: textIn(each.text) })).filter(({ text }) => text !== "" && text !== asked.query).slice(0, 3);
  return (
    <Empty
      icon={<SearchIcon size={20} stroke={1.5} aria-hidden />}
      title={asked.query === "*" ? "No asset matches" : `Nothing is found for ${asked.query}`}
      actions={
        <>
          {ways.map(({ filter, total }) => (
            <Button key={filter.field + filter.condition} size="small" onClick={() => onChange({ filters: asked.filters.filter((other) => other !== filter) })}>
              Show the {numberText(total)}
            </Button>
          ))}
          {(asked.filters.length > 1 || asked.view) && (
            <Button size="small" look="quiet" onClick={onClear}>
              Clear all filters
            </Button>
          )}
        </>
      }
    >
      {ways.map(({ filter, total }) => (
        <span key={filter.field + filter.condition} className={styles["way"]}>
          Without {titleOf(filter.field)} {conditionText(filter)} {valuesText(filter, name)} there {total === 1 ? "is 1" : `are ${numberText(total)}`}.
        </span>
      ))}
      {ways.length === 0 && (
        <span className={styles["way"]}>
          Names, descriptions, columns, tags, terms and owners are searched. Try fewer or shorter words.
          {words.length > 0 && " Or: "}
          {words.map(({ text }) => (
            <Link key={text} href={`/search?${addressOf({ ...asked, query: text, page: 1 }).toString()}`}>
              {text}
            </Link>
          ))}
        </span>
      )}
    </Empty>
  );
}
