import { listIn, textIn } from "../../lib/answer";
import { lineName } from "../../lib/line";
import { shortOf } from "../../lib/text";
import type { Ref } from "../entities/refs";
import { propertyIn, type Property } from "../properties/property";
import type { FormAskedFragment } from "./form.operations";

/** A question of a form. */
export interface Question {
  id: string;
  title: string;
  description: string;
  /** Asks about each column, not about the whole. */
  ofColumns: boolean;
  required: boolean;
  /** The property that takes the answer; null if it is gone. */
  property: Property | null;
}

/** Who fills in a form. */
export interface Respondents {
  /** The owners of the asset fill it in. */
  forOwners: boolean;
  /** The people and groups that fill it in by name. */
  people: readonly Ref[];
  /** The form names who looks at it, or one of their groups. */
  mine: boolean;
}

/** A form as it is defined. */
export interface Definition extends Respondents {
  urn: string;
  name: string;
  description: string;
  /** Somebody has to confirm the answers. */
  verifies: boolean;
  prompts: readonly Question[];
}

/** A person or a group that an answer names; none where it names nobody. */
export const refIn = (value: { urn: string | null } | null | undefined): Ref[] => {
  const urn = textIn(value?.urn);
  return urn ? [{ urn, name: lineName({ ...value, urn }) }] : [];
};

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

/** A form by its definition; none where there is no form. */
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
        people: [...listIn(actors?.users), ...listIn(actors?.groups)].flatMap(refIn),
        mine: actors?.isAssignedToMe === true,
      }
    : null;
}

/** Who fills in a form, in words. */
export function forWhom({ forOwners, people }: Respondents, ownershipTypes: readonly string[] = []): string {
  const kinds = forOwners ? [] : ownershipTypes;
  const all = [...(forOwners ? ["the owners"] : []), ...(kinds.length > 0 ? [`owners of the type ${kinds.join(" or ")}`] : []), ...people.map(({ name }) => name)];
  return all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all.at(-1) ?? ""}` : (all[0] ?? "nobody");
}
