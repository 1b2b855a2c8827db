import { nameIn, shortOf } from "../../components/entities";
import { typeOf } from "../../lib/asset";
import { at, listIn, members, numberIn, textIn, textsIn } from "../../lib/loose";

/** Something that is in an asset. */
export interface Held {
  urn: string;
  name: string;
  type: string;
  subType: string;
  platform: string;
  description: string;
}

/** A page of what is in an asset. */
export interface Contents {
  total: number;
  items: readonly Held[];
}

const texts = ["chart", "dashboard", "flow", "job", "container", "domain", "product", "term", "node"];

function heldIn(entity: unknown): Held[] {
  const urn = textIn(at(entity, "urn"));
  if (urn === "") {
    return [];
  }
  const said = [at(entity, "editableProperties", "description"), at(entity, "properties", "description"), ...texts.map((name) => at(entity, name, "description")), at(entity, "learned")];
  return [
    {
      urn,
      name: textIn(nameIn({ ...members(entity), urn })) || shortOf(urn),
      type: typeOf(urn),
      subType: textsIn(at(entity, "subTypes", "typeNames"))[0] ?? "",
      platform: textIn(at(entity, "platform", "name")),
      description: said.map(textIn).find((text) => text !== "") ?? "",
    },
  ];
}

const once = (items: readonly Held[]): Held[] => [...new Map(items.map((item) => [item.urn, item])).values()];

/** Reads what a search found in an asset. */
export const contentsIn = (answer: unknown): Contents => ({
  total: numberIn(at(answer, "searchAcrossEntities", "total")) ?? 0,
  items: once(listIn(at(answer, "searchAcrossEntities", "searchResults")).flatMap((each) => heldIn(at(each, "entity")))),
});

/** Reads what an asset is related to. */
export const relatedIn = (answer: unknown): Contents => ({
  total: numberIn(at(answer, "entity", "relationships", "total")) ?? 0,
  items: once(listIn(at(answer, "entity", "relationships", "relationships")).flatMap((each) => heldIn(at(each, "entity")))),
});
