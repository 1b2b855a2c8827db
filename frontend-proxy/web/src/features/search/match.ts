import { shortOf } from "../../lib/text";
import { type Line } from "../../lib/line";
import { hasWord } from "../../lib/marks";

/** Where a result holds the words, if that is not in its name or its description. */
export interface Matched {
  /** What the values are, as "Column" or "Tag". */
  what: string;
  values: readonly string[];
  /** How many more values of the same kind hold them. */
  more: number;
  /** Whether the values are names of programs. */
  code: boolean;
}

const shown = 2;
const longest = 160;

// The order says which kind of match tells most. Others come after these, under the name of the index.
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

// What stands on the result itself, and is marked there.
const visible: ReadonlySet<string> = new Set(["name", "displayName", "title", "description", "editedDescription", "definition", "username", "fullName", "_entityName"]);

const plain = (value: string) => {
  const text = value.startsWith("urn:li:") ? shortOf(value) : value;
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
};

/** Says where a result holds the words that were searched for: the kind of match that tells most. Names of columns come before all. */
export function matchedIn(fields: readonly { name: string; value: string }[], line: Line, words: readonly string[]): Matched | undefined {
  const inSight = hasWord(line.name, words) || hasWord(line.description, words);
  const found = fields.filter(({ name, value }) => !visible.has(name) && value !== "");
  for (const [names, what, code = false] of kinds) {
    if (inSight && what === "Address") {
      continue; // the address holds the name
    }
    const named = found.filter(({ name, value }) => names.includes(name) && !(inSight && value.startsWith("urn:li:")));
    const values = [...new Set(named.map(({ value }) => plain(value)))];
    // What holds a whole word is what people looked for.
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
