import { describe, expect, it } from "vitest";

import { answered } from "./test-answer";
import { lineOf, stateIn } from "./line";

const urn = "urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.marts.orders,PROD)";

describe("a line of a list", () => {
  it("says what the answer says of an asset, the way to it from the outside", () => {
    const line = lineOf({
      urn,
      type: "DATASET",
      name: "orders",
      editableProperties: { description: "As people wrote it" },
      properties: { name: "ORDERS", description: "As it came", lastModified: { time: 5 } },
      platform: { urn: "urn:li:dataPlatform:snowflake", name: "snowflake", properties: { displayName: "Snowflake" } },
      subTypes: { typeNames: ["View"] },
      parentContainers: { containers: [{ urn: "urn:li:container:marts", properties: { name: "MARTS" } }, { urn: "urn:li:container:shop", properties: { name: "SHOP" } }] },
      ownership: {
        owners: [
          { owner: { urn: "urn:li:corpGroup:sales", name: "sales", properties: { displayName: "Sales" } } },
          { owner: { urn: "urn:li:corpGroup:sales", name: "sales" } },
        ],
      },
      tags: { tags: [{ tag: { urn: "urn:li:tag:pii", name: "pii", properties: { name: "PII", colorHex: "#ff0000" } } }] },
      glossaryTerms: { terms: [{ term: { urn: "urn:li:glossaryTerm:order", properties: { name: "Order" } } }] },
      deprecation: { deprecated: true },
      health: [{ type: "ASSERTIONS", status: "PASS" }],
      statsSummary: { uniqueUserCountLast30Days: 7 },
    } as { urn: string; type: string });
    expect(line).toMatchObject({
      name: "ORDERS",
      subType: "View",
      platform: "Snowflake",
      steps: [{ name: "SHOP" }, { name: "MARTS" }],
      description: "As people wrote it",
      deprecated: true,
      tags: [{ name: "PII", colour: "#ff0000" }],
      terms: [{ name: "Order" }],
      owners: [{ name: "Sales", shape: "group" }],
      state: { tone: "ok", text: "Checks pass" },
      people: 7,
      changedAt: 5,
    });
  });

  it("lives with nulls, with members of other shapes and with types it does not know", () => {
    const odd = {
      urn: "urn:li:somethingNew:x",
      type: "SOMETHING_NEW",
      properties: null,
      platform: "snowflake",
      subTypes: { typeNames: [null] },
      parentContainers: { containers: null },
      ownership: { owners: [null, { owner: null }, 5] },
      tags: { tags: [{ tag: null }] },
      health: [{ status: "SOMETIMES" }, null],
      statsSummary: { uniqueUserCountLast30Days: "many" },
    };
    expect(lineOf(answered(odd))).toMatchObject({ name: "x", steps: [], owners: [], tags: [], state: undefined, people: undefined, changedAt: undefined });
  });

  it("names the job's flow and its platform", () => {
    const job = { urn: "urn:li:dataJob:(urn:li:dataFlow:(airflow,daily,prod),load)", type: "DATA_JOB", dataFlow: { urn: "urn:li:dataFlow:(airflow,daily,prod)", properties: null, platform: { name: "airflow" } } };
    expect(lineOf(job)).toMatchObject({ name: "load", platform: "airflow", steps: [{ name: "daily" }] });
  });
});

describe("a state", () => {
  it("tells what is wrong before what is well", () => {
    expect(stateIn([{ type: "ASSERTIONS", status: "PASS" }, { type: "INCIDENTS", status: "FAIL", message: "2 active incidents" }])).toEqual({ tone: "bad", text: "2 open incidents" });
    expect(stateIn([{ type: "ASSERTIONS", status: "WARN", message: "2 assertions of 3 could not be run" }])).toEqual({ tone: "warn", text: "2 of 3 checks could not be run" });
    expect(stateIn([{ type: "INCIDENTS", status: "PASS" }, { type: "ASSERTIONS", status: "PASS", latestAssertionStatusByType: [{ statusCount: 4 }, { statusCount: 5 }] }])).toEqual({ tone: "ok", text: "9 checks pass" });
    expect(stateIn([{ type: "INCIDENTS", status: "FAIL", message: null }])).toEqual({ tone: "bad", text: "Has an open incident" });
    expect(stateIn([])).toBeUndefined();
  });
});
