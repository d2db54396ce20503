/**
 * `hearth audit`: shows, verifies and exports the tamper-evident audit log, and rotates its key, also
 * while the house is not running.
 */
import { appendFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type AuditFilter, type AuditReport, type AuditRow, AuditType, MAX_AUDIT_PAGE } from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { toCells } from "../show/audit-rows.ts";
import type { AuditSource, NamedHouse } from "../at-rest/audit-source.ts";
import { defineCommand, type Flags, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { openAudit, rotateAuditKey } from "../at-rest/open-audit.ts";
import { safeLine } from "../show/safe-text.ts";
import { UsageError } from "../args/usage-error.ts";
import { readWhen } from "../args/when.ts";

const allHousesFlag = {
  house: { kind: "text", value: "HOUSE", summary: "the log of this house (default: every house where you have x)" },
} as const satisfies Flags;
const oneHouseFlag = {
  house: { kind: "text", value: "HOUSE", summary: "the log of this house (default: the first where you have x)" },
} as const satisfies Flags;

const OFFLINE_NOTE = "Also works while the house is not running.";

const list = defineCommand({
  summary: "Shows the latest rows of the audit log",
  needs: "x on the house, or the right audit",
  flags: {
    ...oneHouseFlag,
    limit: { kind: "number", value: "N", min: 1, max: MAX_AUDIT_PAGE, summary: "show the last N rows (default: 30)" },
    type: { kind: "text", value: "TYPE", choices: AuditType.options, summary: "only rows of this type, such as grant" },
    person: { kind: "text", value: "PERSON", summary: "only acts of this person, and acts that concern the person" },
    agent: { kind: "text", value: "AGENT", summary: "only acts of this agent, and acts that concern the agent" },
    since: { kind: "text", value: "WHEN", summary: "only rows since then: a date, or a duration before now" },
    until: { kind: "text", value: "WHEN", summary: "only rows before then: a date, or a duration before now" },
  },
  details: OFFLINE_NOTE,
  examples: [
    "hearth audit list",
    "hearth audit list --house home --limit 5",
    "hearth audit list --type grant --person ada --since 30d",
    "hearth audit list --json",
  ],
  async run(context, flags) {
    const { json, output, terminal } = context;
    const { limit = 30, since, until, person, agent } = flags;
    const timeRange = {
      ...(since === undefined ? {} : { from: readWhen("--since", since, terminal.now()) }),
      ...(until === undefined ? {} : { until: readWhen("--until", until, terminal.now()) }),
    };
    using audit = await openAudit(context);
    const house = requireFirstHouse(await audit.houses(flags.house));
    const rows = await findRows(audit, house, limit, {
      ...timeRange,
      type: AuditType.options.find((type) => type === flags.type),
      person: person === undefined ? undefined : await audit.idOf(withoutAt(person)),
      agent: agent === undefined ? undefined : await audit.idOf(withoutAt(agent)),
    });
    if (json) output.json(rows);
    else {
      const handles = await audit.handles();
      const cells = rows.map((row) => toCells(row, handles));
      const isFiltered = [flags.type, person, agent, since, until].some((flag) => flag !== undefined);
      const emptyText = isFiltered ? "No rows match." : "The audit log is empty.";
      output.table(["ROW", "WHEN", "ACTION", "BY", "DETAILS"], cells, emptyText);
    }
    return exitCodes.done;
  },
});

/** Searches the whole log for the last rows that match. Returns them oldest first. */
const findRows = async (
  audit: AuditSource,
  house: NamedHouse,
  limit: number,
  filter: AuditFilter,
): Promise<readonly AuditRow[]> => {
  const rows: AuditRow[] = [];
  for (let before: number | undefined; ;) {
    const page = await audit.search(house, { ...filter, before, limit: limit - rows.length });
    rows.push(...page.rows);
    before = page.next;
    if (before === undefined || rows.length === limit) return rows.toReversed();
  }
};

const verify = defineCommand({
  summary: "Checks that the audit log was not changed",
  needs: "x on the house, or the right audit",
  flags: allHousesFlag,
  details: [
    "Checks every row against its seal, and the end of the log against the anchor in the home's `audit` folder. Lists changed,",
    `missing and truncated rows. Exits with 1 when the log was changed. ${OFFLINE_NOTE}`,
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
        const verdict = findings.length === 0 ? "intact" : output.style.red("TAMPERED");
        output.line(`${safeLine(handle)}: ${count}, ${verdict}`);
        for (const { text } of findings) output.line(`  ${safeLine(text)}`);
      }
    }
    return reports.every(({ findings }) => findings.length === 0) ? exitCodes.done : exitCodes.failed;
  },
});

const exportLog = defineCommand({
  summary: "Exports the audit log as JSON lines, for an independent check",
  needs: "x on the house, or the right audit",
  flags: {
    ...oneHouseFlag,
    since: {
      kind: "text",
      value: "WHEN",
      summary: "only rows since then: a date, or a duration before now (default: all)",
    },
    out: { kind: "text", value: "FILE", summary: "write to this new file (default: stdout)" },
  },
  details: [
    "To verify an export with the key: python3 docs/verify-audit.py FILE keys/audit.key",
    `The log has names, ids and times, but no secrets and no message texts. ${OFFLINE_NOTE}`,
  ].join("\n"),
  examples: ["hearth audit export", "hearth audit export --house home --since 30d"],
  async run(context, flags) {
    const { output, terminal } = context;
    const since = flags.since === undefined ? undefined : readWhen("--since", flags.since, terminal.now());
    using audit = await openAudit(context);
    const house = requireFirstHouse(await audit.houses(flags.house));
    const chunks = audit.export(house, since);
    if (flags.out === undefined) for await (const chunk of chunks) terminal.out(chunk);
    else {
      const path = resolve(terminal.cwd, flags.out);
      await createFile(path);
      for await (const chunk of chunks) await appendFile(path, chunk);
      output.note(`wrote ${safeLine(path)}`);
    }
    return exitCodes.done;
  },
});

const rotateKey = defineCommand({
  summary: "Replaces the key that seals the audit log, for example after another person saw an old backup",
  needs: "x on the first house",
  flags: {},
  details: [
    "A row in the log of each house records the new key, which seals this row and all later ones. The replaced keys stay in",
    `keys/audit.key, because older rows are verified with them. Earlier backups do not contain the new key. ${OFFLINE_NOTE}`,
  ].join("\n"),
  examples: ["hearth audit rotate-key", "hearth audit rotate-key --json"],
  async run(context) {
    const { json, output } = context;
    const rotation = await rotateAuditKey(context);
    if (json) output.json(rotation);
    else {
      const { key, houses } = rotation;
      output.line(`The audit log has a new key: ${key}, recorded in ${houses} ${houses === 1 ? "log" : "logs"}.`);
      output.note("Make a backup, because earlier backups do not contain this key: hearth backup");
    }
    return exitCodes.done;
  },
});

const requireFirstHouse = (houses: readonly NamedHouse[]): NamedHouse => {
  const [house] = houses;
  if (house === undefined) throw new UsageError("This home has no house.", "Start one: hearth up");
  return house;
};

/** Creates the file. Fails if it exists, because an earlier export may be evidence. */
const createFile = async (path: string): Promise<void> => {
  try {
    await writeFile(path, "", { flag: "wx", mode: 0o600 });
  } catch (error) {
    const isExistingFile = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw new UsageError(
      isExistingFile ? `${path} already exists.` : `${path} cannot be written.`,
      "Give the path of a new file: --out FILE",
    );
  }
};

export const audit: Group = {
  kind: "group",
  summary: "Shows and verifies the tamper-evident audit log",
  verbs: { list, verify, export: exportLog, "rotate-key": rotateKey },
};
