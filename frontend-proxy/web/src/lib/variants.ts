import type { Operation } from "./request";

/** The selections of a type: of the entity, and of Query. Both are indexes into the list of selections. */
type Selected = readonly [readonly number[], readonly number[]];

/** An operation that reads one entity, with a text for each type of the entity. */
export interface Variants<Type extends string, Answer, Variables> {
  /** The operation for a type in the GraphQL schema. */
  of: (type: Type) => Operation<Answer, Variables>;
  /** The members of the entity that the operation for a type reads. */
  members: (type: Type) => readonly string[];
}

/**
 * Composes an operation with a text for each type. Generated code calls it: head is the member with the entity up to
 * its type-specific selections, and variables has the GraphQL types of all variables. Each text declares the variables
 * that it uses.
 */
export const variants =
  <Answer, Variables>() =>
  <Type extends string>(name: string, head: string, variables: Readonly<Record<string, string>>, selections: readonly string[], types: Readonly<Record<Type, Selected>>): Variants<Type, Answer, Variables> => {
    const texts = (indexes: readonly number[]) => indexes.map((index) => selections[index] ?? "");
    const write = (type: Type) => {
      const [own, others] = types[type];
      const body = `{${head} ...on ${type}{${texts(own).join(" ")}}} ${texts(others).join(" ")}}`;
      const declared = Object.entries(variables).filter(([variable]) => new RegExp(`\\$${variable}\\b`, "u").test(body));
      return `query ${name}(${declared.map(([variable, of]) => `$${variable}:${of}`).join(" ")})${body}`;
    };
    return {
      of: (type) => ({ toString: () => write(type) }),
      members: (type) => texts(types[type][0]).map((text) => /^\w+/u.exec(text)?.[0] ?? ""),
    };
  };
