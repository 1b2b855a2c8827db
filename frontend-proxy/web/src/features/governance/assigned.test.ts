import { describe, expect, it } from "vitest";

import { answered } from "../../lib/test-answer";
import { assetIn } from "../../shared/asset/asset";
import { Problem } from "../../lib/problem";
import { forWhom } from "../../shared/forms/forms";
import { columnsIn, formsIn, isDone, openIn, reasonFor, refusalOf, resultsIn, stateOf, withGone } from "./assigned";

const prompt = (id: string, required = true) => ({ id, title: `About ${id}`, type: "STRUCTURED_PROPERTY", required, structuredPropertyParams: { structuredProperty: { urn: `urn:li:structuredProperty:${id}` } } });
const info = (type: string, actors: unknown = { owners: true, isAssignedToMe: false }) => ({ name: "Review", type, prompts: [prompt("class"), prompt("note", false)], actors });
const assigned = (urn: string, type: string, open: string[], done: string[], actors?: unknown) => ({
  form: { urn, info: info(type, actors) },
  incompletePrompts: open.map((id) => ({ id })),
  completedPrompts: done.map((id) => ({ id, lastModified: { time: 1_780_000_000_000, actor: { urn: "urn:li:corpuser:ilse" } } })),
});

const owner = (urn: string, role: string) => ({ urn, name: urn, group: false, role: { urn: role, name: role } });

describe("forms of an asset", () => {
  it("count what is left, which questions that need not be answered are not", () => {
    const [form] = formsIn(answered({ forms: { incompleteForms: [assigned("urn:li:form:a", "COMPLETION", ["class", "note"], [])] } }));
    expect(form && openIn(form)).toBe(1);
    expect(form && stateOf(form).text).toBe("1 required question left");
  });

  it("are done once answered, or once verified where somebody has to", () => {
    const forms = formsIn(answered({
      forms: {
        completedForms: [assigned("urn:li:form:a", "COMPLETION", ["note"], ["class"]), assigned("urn:li:form:b", "VERIFICATION", [], ["class"]), assigned("urn:li:form:c", "VERIFICATION", [], ["class"])],
        verifications: [{ form: { urn: "urn:li:form:c" }, lastModified: null }],
      },
    }));
    expect(forms.map((form) => [form.urn.slice(-1), isDone(form), stateOf(form).text])).toEqual([
      ["b", false, "To be verified"],
      ["a", true, "Complete"],
      ["c", true, "Verified"],
    ]);
    expect(forms[0]?.prompts[0]?.answered).toEqual({ by: { urn: "urn:li:corpuser:ilse", name: "ilse" }, time: 1_780_000_000_000 });
  });

  it("are for owners and for those they name", () => {
    const [form] = formsIn(answered({ forms: { incompleteForms: [assigned("urn:li:form:a", "COMPLETION", [], [], { owners: true, users: [{ urn: "urn:li:corpuser:noor", properties: { displayName: "Noor" } }], groups: null })] } }));
    const asset = { ...assetIn("urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)", {}), owners: [{ urn: "urn:li:corpGroup:sales", name: "Sales", group: true, role: { urn: "", name: "Owner" } }] };
    if (!form) {
      throw new Error("there is no form");
    }
    expect(forWhom(form)).toBe("the owners and Noor");
    expect(reasonFor(form, asset, { urn: "urn:li:corpuser:ilse", groups: [] })).toBe("Review is for the owners and Noor to fill in.");
    expect(reasonFor(form, asset, { urn: "urn:li:corpuser:ilse", groups: ["urn:li:corpGroup:sales"] })).toBeNull();
    expect(reasonFor({ ...form, mine: true }, asset, { urn: "urn:li:corpuser:ilse", groups: [] })).toBeNull();
  });

  it("are for owners of some types alone, in the words of their names", () => {
    const [read] = formsIn(answered({ forms: { incompleteForms: [assigned("urn:li:form:a", "COMPLETION", [], [], { owners: false, isAssignedToMe: false })] } }));
    const asset = {
      ...assetIn("urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)", {}),
      owners: [owner("urn:li:corpuser:ilse", "urn:li:ownershipType:steward"), owner("urn:li:corpuser:noor", "urn:li:ownershipType:maker"), owner("urn:li:corpGroup:sales", "urn:li:ownershipType:steward")],
    };
    if (!read) {
      throw new Error("there is no form");
    }
    const form = { ...read, ownerTypes: [{ urn: "urn:li:ownershipType:steward", name: "Data Steward" }] };
    expect(reasonFor(form, asset, { urn: "urn:li:corpuser:ilse", groups: [] })).toBeNull();
    expect(reasonFor(form, asset, { urn: "urn:li:corpuser:noor", groups: [] })).toBe("Review is for owners of the type Data Steward to fill in.");
    expect(reasonFor(form, asset, { urn: "urn:li:corpuser:noor", groups: ["urn:li:corpGroup:sales"] })).toBeNull();
    expect(reasonFor(form, asset, { urn: "urn:li:corpuser:else", groups: [] })).toBe("Review is for owners of the type Data Steward to fill in.");
  });

  it("stay when they are taken off, and are back at once", () => {
    const [a, b] = ["urn:li:form:a", "urn:li:form:b"].map((urn) => formsIn(answered({ forms: { incompleteForms: [assigned(urn, "COMPLETION", ["class"], [])] } })));
    const both = [...(a ?? []), ...(b ?? [])];
    const without = withGone(both, b ?? []);
    expect(without.map(({ urn, gone }) => [urn.slice(-1), gone])).toEqual([["b", false], ["a", true]]);
    expect(without.map((form) => stateOf(form).text)).toEqual(["1 required question left", "Taken off"]);
    expect(withGone(without, both)).toEqual(both);
  });

  it("say in words why an answer was refused", () => {
    const asset = { ...assetIn("urn:li:dataset:(urn:li:dataPlatform:kafka,a,PROD)", {}), name: "orders" };
    const me = { urn: "urn:li:corpuser:ilse", groups: [] };
    const [mine] = formsIn(answered({ forms: { incompleteForms: [assigned("urn:li:form:a", "COMPLETION", ["class"], [], { owners: false, isAssignedToMe: true })] } }));
    if (!mine) {
      throw new Error("there is no form");
    }
    const refused = new Problem("refused", "Unauthorized to perform this action.");
    expect(refusalOf(refused, mine, [{ ...mine, mine: false, forOwners: true }], asset, me).message).toBe("Review is for the owners to fill in.");
    expect(refusalOf(new Problem("invalid", "formUrn: the asset does not have it"), mine, [], asset, me).message).toBe("Review was taken off orders meanwhile.");
    expect(refusalOf(refused, mine, [mine], asset, me)).toBe(refused);
    const away = new Problem("away", "The catalog does not answer.");
    expect(refusalOf(away, mine, [], asset, me)).toBe(away);
  });

  it("may be missing in any part", () => {
    expect(formsIn(answered(null))).toEqual([]);
    expect(formsIn(answered({ forms: { incompleteForms: [{ form: { urn: "urn:li:form:a", info: null } }, null], completedForms: null } }))).toMatchObject([{ name: "a", prompts: [] }]);
  });
});

it("lists failing tests first, without those that are gone", () => {
  expect(resultsIn(answered({ passing: [{ test: { urn: "urn:li:test:a", name: "A" } }, { test: null }], failing: [{ test: { urn: "urn:li:test:b", name: "" } }] }))).toEqual([
    { urn: "urn:li:test:b", name: "b", passes: false },
    { urn: "urn:li:test:a", name: "A", passes: true },
  ]);
});

it("reads the values of columns", () => {
  const property = { structuredProperty: { urn: "urn:li:structuredProperty:p" }, values: [{ numberValue: 3 }, { stringValue: "x" }] };
  expect([...columnsIn(answered({ dataset: { schemaMetadata: { fields: [{ fieldPath: "id", schemaFieldEntity: { structuredProperties: { properties: [property] } } }, { fieldPath: "name" }] } } }), "urn:li:structuredProperty:p")]).toEqual([
    ["id", [3, "x"]],
    ["name", []],
  ]);
});
