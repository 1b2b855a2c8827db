import { listIn, textIn } from "./answer";
import { keyOf, shortOf } from "./text";

// The members that may contain the display name of an entity, those that users edit first. An operation may select
// several of them as members of their own types.
const parts = ["editableProperties", "properties", "info", "definition", "domain", "term", "tag"] as const;

type Text = string | null | undefined;

// Some operations select nothing but the description.
type Part = { readonly displayName?: Text; readonly fullName?: Text; readonly name?: Text; readonly description?: Text } | null | undefined;

/** An entity with the members that may contain its name. An operation selects some of them. */
export type Named = {
  readonly urn?: Text;
  readonly name?: Text;
  readonly username?: Text;
  readonly fieldPath?: Text;
} & { readonly [Member in (typeof parts)[number]]?: Part } & { readonly info?: { readonly title?: Text } | null | undefined; readonly definition?: { readonly qualifiedName?: Text } | null | undefined };

/** The display name of an entity, or the readable part of its URN if it has none. */
export function nameIn(entity: Named): string {
  const given = parts.flatMap((member) => [entity[member]?.displayName, entity[member]?.fullName, entity[member]?.name]);
  const names = [...given, entity.info?.title, entity.definition?.qualifiedName, entity.name, entity.fieldPath, entity.username];
  return names.map(textIn).find((name) => name.trim() !== "") ?? shortOf(textIn(entity.urn));
}

/** The entities of a list that have a URN, with their names. */
export const namedIn = (list: readonly (Named | null | undefined)[] | null | undefined): { urn: string; name: string }[] =>
  listIn(list)
    .map((entity) => ({ urn: textIn(entity.urn), name: nameIn(entity) }))
    .filter(({ urn }) => urn !== "");

/** The display name of a platform, or the name in its URN. */
export function platformName(platform: Named | null | undefined): string | undefined {
  const name = textIn(platform?.properties?.displayName) || textIn(platform?.name) || keyOf(textIn(platform?.urn));
  return name.replace(/^urn:li:dataPlatform:/u, "") || undefined;
}
