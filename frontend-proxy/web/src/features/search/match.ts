import { shortOf } from "../../lib/text";
import { type Line } from "../../lib/line";
import { hasWord } from "../../lib/marks";

/** The field of a result that matches the search, if name and description do not. */
export interface Matched {
  /** The label of the field, as "Column" or "Tag". */
  what: string;
  values: readonly string[];
  /** The number of further matching values of the same field. */
  more: number;
  /** Whether the values are technical names. */
  code: boolean;
}

const shown = 2;
const longest = 160;

// The kinds of matches, most significant first. Other fields follow under their index names.
const kinds: readonly [fields: readonly string[], what: string, code?: boolean][] = [
  [["fieldPaths"], "Column", true],
  [["fieldDescriptions", "editedFieldDescriptions"], "Description of a column"],
  [["fieldLabels"], "Label of a column"],
  [["fieldTags", "editedFieldTags", "fieldGlossaryTerms", "editedFieldGlossaryTerms"], "Label of a column"],
  [["tags"], "Tag"],
  [["glossaryTerms"], "Term"],
  [["owners"], "Owner"],
  [["domains"], "Domain"],
  [["customProperties"], "Property"],
  [["qualifiedName", "qualifiedNameWithEnv", "id", "urn", "externalUrl"], "Address"],
];

// Fields that the result itself shows and highlights.
const visible: ReadonlySet<string> = new Set(["name", "displayName", "title", "description", "editedDescription", "definition", "username", "fullName", "_entityName"]);

const plain = (value: string) => {
  const text = value.startsWith("urn:li:") ? shortOf(value) : value;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

/** The most significant match of a result. Column names come first. */
export function matchedIn(fields: readonly { name: string; value: string }[], line: Line, words: readonly string[]): Matched | undefined {
  const inSight = hasWord(line.name, words) || hasWord(line.description, words);
  const found = fields.filter(({ name, value }) => !visible.has(name) && value !== "");
  for (const [names, what, code = false] of kinds) {
    if (inSight && what === "Address") {
      continue; // the address contains the name
    }
    const named = found.filter(({ name, value }) => names.includes(name) && !(inSight && value.startsWith("urn:li:")));
    const values = [...new Set(named.map(({ value }) => plain(value)))];
    // Matches of whole words come first.
    const best = values.toSorted((a, b) => score(b, words) - score(a, words));
    if (best.length > 0) {
      const few = best.length === shown ? best : best.slice(0, 1);
      return { what, values: few, more: best.length - few.length, code };
    }
  }
  const first = found.find(({ name }) => !kinds.some(([names]) => names.includes(name)));
  return first && !inSight ? { what: first.name.replaceAll(/([a-z])([A-Z])/gu, "$1 $2").toLowerCase(), values: [plain(first.value)], more: 0, code: false } : undefined;
}

const score = (value: string, words: readonly string[]) => words.filter((word) => value.toLowerCase().includes(word)).length;
