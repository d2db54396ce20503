/** What was done in a house, in a log that shows when it was changed: shown, checked and exported, also when the house does not run. */
import { appendFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type AuditReport, MAX_AUDIT_PAGE } from "@hearth/protocol";
import { toCells } from "../audit-rows.ts";
import type { NamedHouse } from "../audit-source.ts";
import { defineCommand, type Flags, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { openAudit } from "../open-audit.ts";
import { safeLine } from "../safe-text.ts";
import { UsageError } from "../usage-error.ts";
import { readWhen } from "../when.ts";

const all = {
  house: { kind: "text", value: "HOUSE", summary: "of this house (default: all where you decide)" },
} as const satisfies Flags;
const one = {
  house: { kind: "text", value: "HOUSE", summary: "of this house (default: the first where you decide)" },
} as const satisfies Flags;

const ALSO = "Works also when the house does not run.";

const list = defineCommand({
  summary: "Shows what was done last",
  needs: "x on the house",
  flags: {
    ...one,
    limit: { kind: "number", value: "N", min: 1, max: MAX_AUDIT_PAGE, summary: "the last N rows (default: 30)" },
  },
  details: ALSO,
  examples: ["hearth audit list", "hearth audit list --house home --limit 5", "hearth audit list --json"],
  async run(context, flags) {
    const { json, output } = context;
    using audit = await openAudit(context);
    const house = first(await audit.houses(flags.house));
    const rows = await audit.latest(house, flags.limit ?? 30);
    if (json) output.json(rows);
    else {
      const handles = await audit.handles();
      const cells = rows.map((row) => toCells(row, handles));
      output.table(["ROW", "WHEN", "WHAT", "WHO", "ABOUT"], cells, "Nothing was done yet.");
    }
    return exitCodes.done;
  },
});

const verify = defineCommand({
  summary: "Checks that nobody changed the log",
  needs: "x on the house",
  flags: all,
  details: [
    "Every row against its seal, and the end against the anchor in the home's folder `audit`. Says which rows were changed, are",
    `missing, or are gone from the end. Ends with 1 when something is wrong. ${ALSO}`,
  ].join("\n"),
  examples: ["hearth audit verify", "hearth audit verify --house home", "hearth audit verify --json"],
  async run(context, flags) {
    const { json, output } = context;
    using audit = await openAudit(context);
    const reports: (AuditReport & Pick<NamedHouse, "handle">)[] = [];
    for (const house of await audit.houses(flags.house))
      reports.push({ handle: house.handle, ...(await audit.verify(house)) });
    if (json) output.json(reports);
    else {
      for (const { handle, rows, findings } of reports) {
        const count = `${rows} ${rows === 1 ? "row" : "rows"}`;
        const verdict = findings.length === 0 ? "whole" : output.style.red("NOT AS IT WAS WRITTEN");
        output.line(`${safeLine(handle)}: ${count}, ${verdict}`);
        for (const { text } of findings) output.line(`  ${safeLine(text)}`);
      }
    }
    return reports.every(({ findings }) => findings.length === 0) ? exitCodes.done : exitCodes.failed;
  },
});

const exportLog = defineCommand({
  summary: "Writes the log as lines of JSON, to be checked elsewhere",
  needs: "x on the house",
  flags: {
    ...one,
    since: { kind: "text", value: "WHEN", summary: "from then on: a date, or a span back from now (default: all)" },
    out: { kind: "text", value: "FILE", summary: "into this new file (default: stdout)" },
  },
  details: [
    "docs/verify-audit.py checks it, with the key: python3 docs/verify-audit.py FILE keys/audit.key",
    `The log holds no secret and nothing that was said, but names, ids and times. ${ALSO}`,
  ].join("\n"),
  examples: ["hearth audit export", "hearth audit export --house home --since 30d"],
  async run(context, flags) {
    const { output, terminal } = context;
    const since = flags.since === undefined ? undefined : readWhen("--since", flags.since, terminal.now());
    using audit = await openAudit(context);
    const house = first(await audit.houses(flags.house));
    const pieces = audit.export(house, since);
    if (flags.out === undefined) for await (const piece of pieces) terminal.out(piece);
    else {
      const path = resolve(terminal.cwd, flags.out);
      await makeFile(path);
      for await (const piece of pieces) await appendFile(path, piece);
      output.note(`wrote ${safeLine(path)}`);
    }
    return exitCodes.done;
  },
});

const first = (houses: readonly NamedHouse[]): NamedHouse => {
  const [house] = houses;
  if (house === undefined) throw new UsageError("There is no house here.", "Start one: hearth up");
  return house;
};

/** Nothing is written over: what was exported before may be evidence. */
const makeFile = async (path: string): Promise<void> => {
  try {
    await writeFile(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw new UsageError(
      isThere ? `${path} is there already.` : `${path} cannot be written.`,
      "Name a new file: --out FILE",
    );
  }
};

export const audit: Group = {
  kind: "group",
  summary: "What was done, in a log that shows when it was changed",
  verbs: { list, verify, export: exportLog },
};
