import { describe, expect, it } from "vitest";

import { columnOf } from "../../lib/column";
import { columnName, Columns, columnsFound, linksOf, type Link } from "./columns";

const field = (urn: string, path: string) => ({ urn, path });

const column = (name: string) => field(name.split(".")[0] ?? "", name.split(".")[1] ?? "");

const link = (from: string, to: string, via?: string): Link => ({ from: column(from), to: column(to), ...(via ? { via } : {}) });

const text = (columns: readonly { urn: string; path: string }[]) => columns.map(({ urn, path }) => `${urn}.${path}`).join(" ");

describe("columns", () => {
  const columns = new Columns([link("shop.cents", "stage.total", "job"), link("stage.total", "orders.total"), link("orders.total", "day.sales"), link("day.sales", "board.net"), link("orders.total", "board.all"), link("stage.day", "orders.day")]);

  it("are traced all the way, through tasks", () => {
    const trace = columns.trace({ urn: "orders", path: "total" });
    expect(trace.assets.toSorted()).toEqual(["board", "day", "job", "orders", "shop", "stage"]);
    expect(trace.in("board").toSorted()).toEqual(["all", "net"]);
    expect(trace.in("stage")).toEqual(["total"]);
    expect(trace.touches("job")).toBe(true);
    expect(trace.links).toHaveLength(5);
  });

  it("are named along the way through an asset", () => {
    const trace = columns.trace({ urn: "orders", path: "total" });
    expect(text(trace.through("day"))).toBe("shop.cents stage.total orders.total day.sales board.net");
    expect(text(trace.through("orders"))).toBe("shop.cents stage.total orders.total day.sales board.net");
    expect(text(trace.through("shop"))).toBe("shop.cents stage.total orders.total day.sales board.net");
    expect(trace.through("elsewhere")).toEqual([]);
  });

  it("end where they go in circles", () => {
    const circle = new Columns([link("a.x", "b.x"), link("b.x", "a.x"), link("a.x", "a.x")]);
    const trace = circle.trace({ urn: "a", path: "x" });
    expect(trace.assets.toSorted()).toEqual(["a", "b"]);
    expect(trace.through("b").length).toBeGreaterThan(1);
  });

  it("are listed by name", () => {
    expect(columns.of("orders")).toEqual(["day", "total"]);
    expect(columns.of("nobody")).toEqual([]);
  });
});

describe("links", () => {
  it("are read of datasets, tasks and reports", () => {
    expect(linksOf({ urn: "t", fineGrainedLineages: [{ upstreams: [field("a", "x"), field("a", "y")], downstreams: [field("t", "z")] }] } as { urn: string })).toHaveLength(2);
    expect(linksOf({ urn: "job", inputOutput: { fineGrainedLineages: [{ upstreams: [field("a", "x")], downstreams: [field("b", "y")] }] } } as { urn: string })).toEqual([
      { from: field("a", "x"), to: field("b", "y"), via: "job" },
    ]);
    const urn = "urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:looker,orders,PROD),net.total)";
    expect(linksOf({ urn: "chart", inputFields: { fields: [{ schemaFieldUrn: urn, schemaField: { fieldPath: "net" } }] } } as { urn: string })).toEqual([
      { from: field("urn:li:dataset:(urn:li:dataPlatform:looker,orders,PROD)", "net.total"), to: field("chart", "net") },
    ]);
  });

  it("are none that a dataset states of the columns of others", () => {
    const stated = [{ upstreams: [field("a", "x")], downstreams: [field("other", "z"), field("t", "z")] }];
    expect(linksOf({ urn: "t", fineGrainedLineages: stated } as { urn: string })).toEqual([{ from: field("a", "x"), to: field("t", "z") }]);
  });

  it("are none where an answer holds null or what no build knows", () => {
    for (const odd of [null, {}, [null], [{ upstreams: null, downstreams: [null] }], [{ upstreams: [{ urn: 1, path: {} }], downstreams: [{ urn: "a", path: "b" }] }]]) {
      expect(linksOf({ urn: "t", fineGrainedLineages: odd, inputFields: { fields: odd } } as { urn: string })).toEqual([]);
    }
  });

  it("are bounded where one statement names thousands on both sides", () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ urn: "t", path: `${at}` }));
    expect(linksOf({ urn: "t", fineGrainedLineages: [{ upstreams: many, downstreams: many }] } as { urn: string })).toHaveLength(10_000);
  });
});

it("reads the column of a URN, whatever its path holds", () => {
  expect(columnOf("urn:li:schemaField:(urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD),[version=2.0].[type=x].b,c)")?.path).toBe("[version=2.0].[type=x].b,c");
  expect(columnOf("urn:li:dataset:(a,b)")).toBeNull();
});

it("names a column without the types in its path", () => {
  expect(columnName("[version=2.0].[type=order].[type=string].customer.[type=string].mail")).toBe("customer.mail");
  expect(columnName("total")).toBe("total");
});

it("finds columns by their names as people know them, those that begin with the text first", () => {
  const paths = ["net_total", "[version=2.0].[type=struct].[type=double].total", "day"];
  expect(columnsFound(paths, " Total ")).toEqual([paths[1], paths[0]]);
  expect(columnsFound(paths, "")).toEqual(paths);
  expect(columnsFound(paths, "double")).toEqual([]);
});
