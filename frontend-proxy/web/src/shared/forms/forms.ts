import { listIn, textIn } from "../../lib/answer";
import { namedIn } from "../../lib/name";
import { shortOf } from "../../lib/text";
import type { Ref } from "../entities/refs";
import { propertyIn, type Property } from "../properties/property";
import type { FormAskedFragment } from "./form.operations";

/** A prompt of a form. */
export interface Question {
  id: string;
  title: string;
  description: string;
  /** The prompt applies to each column, not to the asset as a whole. */
  ofColumns: boolean;
  required: boolean;
  /** The property that stores the response; null if it was deleted. */
  property: Property | null;
}

/** The respondents of a form. */
export interface Respondents {
  /** The owners of the asset are respondents. */
  forOwners: boolean;
  /** The users and groups named as respondents. */
  people: readonly Ref[];
  /** The form names the current user or one of the user's groups. */
  mine: boolean;
}

/** The definition of a form. */
export interface Definition extends Respondents {
  urn: string;
  name: string;
  description: string;
  /** A respondent has to verify the responses. */
  verifies: boolean;
  prompts: readonly Question[];
}

type Info = NonNullable<FormAskedFragment["info"]>;

function questionIn(value: NonNullable<NonNullable<Info["prompts"]>[number]>): Question {
  const id = textIn(value.id);
  return {
    id,
    title: textIn(value.title) || id,
    description: textIn(value.description),
    ofColumns: textIn(value.type) === "FIELDS_STRUCTURED_PROPERTY",
    required: value.required === true,
    property: propertyIn(value.structuredPropertyParams?.structuredProperty),
  };
}

/** Reads the definition of a form; null if there is no form. */
export function definitionIn(form: Partial<FormAskedFragment> | null | undefined): Definition | null {
  const urn = textIn(form?.urn);
  const info = form?.info;
  const actors = info?.actors;
  return urn
    ? {
        urn,
        name: textIn(info?.name) || shortOf(urn),
        description: textIn(info?.description),
        verifies: textIn(info?.type) === "VERIFICATION",
        prompts: listIn(info?.prompts).map(questionIn),
        forOwners: actors?.owners === true,
        people: namedIn([...listIn(actors?.users), ...listIn(actors?.groups)]),
        mine: actors?.isAssignedToMe === true,
      }
    : null;
}

/** The respondents of a form as text. */
export function forWhom({ forOwners, people }: Respondents, ownershipTypes: readonly string[] = []): string {
  const kinds = forOwners ? [] : ownershipTypes;
  const all = [...(forOwners ? ["the owners"] : []), ...(kinds.length > 0 ? [`owners of the type ${kinds.join(" or ")}`] : []), ...people.map(({ name }) => name)];
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}` : (all[0] ?? "nobody");
}
