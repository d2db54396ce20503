/** The UI has a title for each fact that the audit log records. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";

/** Facts that are not columns: see `audit-rows.ts` and `daemon-audit.ts`. */
const OTHER_FACTS = [
  "change",
  "by",
  "via",
  "right",
  "agent",
  "person",
  "trigger",
  "audit_key",
  "table",
  "version",
  "pid",
];
const CONFIG_FACTS = ["config", "key", "session"];

const readText = (path: string): Promise<string> => Bun.file(join(root, path)).text();

/** Returns the names of the columns, from the lines that list them. */
const readColumns = async (): Promise<readonly string[]> => {
  const source = await readText("packages/warden/src/kernel/audit/audited-tables.ts");
  const lines = source.split("\n").filter((line) => /(?:columns|digests|errors): \[|as const\)/.test(line));
  return lines.flatMap((line) =>
    [...line.replace(/type: "[\w-]+"/, "").matchAll(/"(\w+)"/g)].map(([, name = ""]) => name),
  );
};

const readTitles = async (): Promise<readonly string[]> => {
  const source = await readText("packages/ui/src/settings/audit/text.ts");
  const [, titles = ""] = /factTitles = \{\n([^}]*)\} as const/.exec(source) ?? [];
  return [...titles.matchAll(/^ {2}(\w+): "/gm)].map(([, name = ""]) => name);
};

test("each column that the audit log records has a title, and each title has a fact", async () => {
  const [columns, titles] = await Promise.all([readColumns(), readTitles()]);
  expect(columns).toContain("received_bytes");
  const facts: readonly string[] = [...columns, ...OTHER_FACTS, ...CONFIG_FACTS];
  expect(facts.filter((fact) => !titles.includes(fact))).toEqual([]);
  expect(titles.filter((title) => !facts.includes(title))).toEqual([]);
});
