// Readers of untyped JSON. A value of an unexpected type counts as absent.
import * as answer from "./answer";

/** The members of an object; none for other values. */
export const members = (value: unknown): Readonly<Record<string, unknown>> => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {});

/** The value at a path of member names. */
export const at = (value: unknown, ...path: readonly string[]): unknown => path.reduce((inner, name) => members(inner)[name], value);

/** A string, or empty if there is none. Numbers and booleans are converted. */
export const textIn = answer.textIn as (value: unknown) => string;

/** A number, or undefined if there is none. The service encodes long numbers as strings. */
export const numberIn = answer.numberIn as (value: unknown) => number | undefined;

/** A time in ms since 1970, or undefined if there is none. */
export const timeIn = answer.timeIn as (value: unknown) => number | undefined;

/** The elements of a list without null and undefined. */
export const listIn = answer.listIn as (value: unknown) => readonly unknown[];

/** The non-empty strings of a list. */
export const textsIn = answer.textsIn as (value: unknown) => string[];
