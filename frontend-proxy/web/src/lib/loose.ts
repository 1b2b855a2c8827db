// Reading of JSON without a type. What is not of the kind asked for is as if it were not there.
import * as answer from "./answer";

/** The members of an object, none of what is none. */
export const members = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {});

/** What is at a path of members. */
export const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce((inner, name) => members(inner)[name], value);

/** A text, empty where there is none. A number is its digits. */
export const textIn = answer.textIn as (value: unknown) => string;

/** A number, where there is one; the service writes long ones as texts. */
export const numberIn = answer.numberIn as (value: unknown) => number | undefined;

/** A moment in ms since 1970, where there is one. */
export const timeIn = answer.timeIn as (value: unknown) => number | undefined;

/** The elements of a list that are there. */
export const listIn = answer.listIn as (value: unknown) => readonly unknown[];

/** The texts of a list that are not empty. */
export const textsIn = answer.textsIn as (value: unknown) => string[];
