import { expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { positionsIn, readHealth } from "./health";

it("reads how the parts of the service are, with the reason", () => {
  const { parts } = readHealth({ ready: true, writes: "red", writes_detail: "the disk is full", elasticsearch: "green", elasticsearch_detail: "" });
  expect(parts.map(({ name, state, detail }) => [name, state, detail])).toEqual([
    ["Requests", "green", ""],
    ["Writing", "red", "the disk is full"],
    ["Search and time series", "green", ""],
  ]);
});

it("keeps what it can read of an answer that is not as expected", () => {
  expect(readHealth(null)).toEqual({ parts: [], projections: [] });
  expect(readHealth({ projections: [null, { name: "search", state: "violet", behind: null }] }).projections).toEqual([
    { name: "search", awaited: false, state: "violet", behind: 0, failures: 0, skipped: 0, lost: 0 },
  ]);
});

it("finds the position of each follower", () => {
  const topic = { MetadataChangeLog_Versioned_v1: { partitions: { 0: { offset: 4641, lag: 0 } } } };
  const positions = positionsIn({ consumerGroups: { "generic-mae-consumer-job-client-search": topic, other: { x: null } } });
  expect([...positions]).toEqual([["search", 4641]]);
  expect(positionsIn(answered("x")).size).toBe(0);
});
