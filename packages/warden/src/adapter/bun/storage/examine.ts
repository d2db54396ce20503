/** Checks every page and blob of a home, running or not, and changes nothing. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Check, type HouseId, toErrorBody } from "@hearth/protocol";
import { createBodyReader } from "../../../agents/brains/bodies.ts";
import type { Blobs } from "../../../kernel/store/blobs.ts";
import {
  type OfflineAuditLog,
  openOfflineAuditLog,
  type ReadableDatabase,
  createSelect,
} from "../audit/offline-audit-log.ts";
import { createHomeBlobs } from "../backup/home-blobs.ts";
import { openSqlite } from "../sqlite.ts";
import { createBunWorld } from "../world.ts";

/** Maximum number of findings that one check names. */
const MAX_NAMED = 5;

const REPAIR_HINT = "Stop the house, then repair the database: hearth repair. It makes a copy first.";
const RESTORE_HINT =
  "Restore blobs/ of the home folder from a backup. Until then the affected texts are shown as damaged.";

/** A name for each kind of row that refers to a blob, its table, and the query for its hashes. */
const BLOB_REFERENCES = [
  [
    "message or event",
    "events",
    "select blob as hash, stream || ' ' || offset as place from events where blob is not null",
  ],
  [
    "output of a step",
    "steps",
    "select output_blob as hash, activation || ' ' || step as place from steps where output_blob is not null",
  ],
  [
    "input of a turn",
    "activations",
    "select frozen_blob as hash, id as place from activations where frozen_blob is not null",
  ],
  [
    "summary",
    "compactions",
    "select summary as hash, agent || ' ' || room || ' ' || place from compactions where summary is not null",
  ],
  ["file of a call", "step_files", "select blob as hash, activation || ' ' || step as place from step_files"],
  ["spoken message", "speeches", "select blob as hash, event as place from speeches"],
  ["part of a file", "upload_parts", "select blob as hash, upload || ' ' || start as place from upload_parts"],
  ["smaller picture", "upload_pictures", "select blob as hash, upload || ' ' || edge as place from upload_pictures"],
  ["text of a document", "upload_texts", "select blob as hash, upload as place from upload_texts"],
  ["version of a file", "brain_bodies", "select hash, agent as place from brain_bodies where text is null"],
  [
    "audit log of",
    "audit_segments",
    "select blob as hash, house || ', rows ' || (after + 1) || ' to ' || through as place from audit_segments",
  ],
] as const;

/** Checks the home. `quick` checks only the pages of the database, without the order of each index. */
export const examineStorage = async (home: string, { quick = false } = {}): Promise<readonly Check[]> => {
  const path = join(home, "hearth.db");
  if (!existsSync(path))
    return [
      { name: "database", ok: false, detail: `${home} has no hearth.db`, fix: "Give the home folder: --home DIR" },
    ];
  const database = valueOrFailure("database", () => openSqlite(path));
  if ("ok" in database) return [database];
  try {
    const pages = checkPages(database, quick);
    if (quick) return [pages];
    return [
      pages,
      tryCheck("streams", () => checkStreams(database)),
      ...(await checkBlobs(database, join(home, "blobs"))),
      await checkBrains(database, createHomeBlobs(home)).catch((error: unknown) => failure("brains", error)),
      await checkAudit(home),
    ];
  } finally {
    database.close();
  }
};

const failure = (name: string, error: unknown): Check => {
  const { message, hint } = toErrorBody(error);
  return { name, ok: false, detail: message, fix: hint ?? REPAIR_HINT };
};

const valueOrFailure = <Value>(name: string, work: () => Value): Value | Check => {
  try {
    return work();
  } catch (error) {
    return failure(name, error);
  }
};

const tryCheck = (name: string, work: () => Check): Check => valueOrFailure(name, work);

const toCheck = (name: string, findings: readonly string[], success: string, fix: string): Check => {
  if (findings.length === 0) return { name, ok: true, detail: success };
  const omittedNote = findings.length > MAX_NAMED ? `; and ${findings.length - MAX_NAMED} more` : "";
  return { name, ok: false, detail: `${findings.slice(0, MAX_NAMED).join("; ")}${omittedNote}`, fix };
};

export const checkPages = (database: ReadableDatabase, quick: boolean): Check =>
  tryCheck("database pages", () => {
    const pragma = quick ? "quick_check" : "integrity_check";
    const rows = database.all(`pragma ${pragma}`).map((row) => String(row[pragma]));
    const findings = rows.filter((row) => row !== "ok").map((row) => row.replaceAll("\n", "; "));
    return toCheck("database pages", findings, "SQLite finds no damage", REPAIR_HINT);
  });

interface StreamCount {
  readonly stream: string;
  readonly head: number;
  readonly last: number;
  readonly count: number;
}

/**
 * Returns the head, the last offset and the number of events of each stream. Archived rows of audit
 * logs count once, also while the database still has them. An older Hearth has no archive.
 */
export const countStreams = (database: ReadableDatabase): readonly StreamCount[] => {
  const segments = hasTable(database, "audit_segments")
    ? "audit_segments"
    : "(select '' as house, 0 as after, 0 as through limit 0)";
  const rows = database.all(
    "select stream, max(head) as head, max(last) as last, sum(count) as count from " +
      "(select stream, head, 0 as last, 0 as count from heads union all " +
      `select 'audit:' || house, 0, through, through - after from ${segments} union all ` +
      "select stream, 0, max(offset), count(*) from events left join (select 'audit:' || house as stream, " +
      `max(through) as archived from ${segments} group by house) using (stream) ` +
      "where archived is null or offset > archived group by stream) group by stream order by stream",
  );
  return rows.map(({ stream, head, last, count }) => ({
    stream: String(stream),
    head: Number(head),
    last: Number(last),
    count: Number(count),
  }));
};

const hasTable = (database: ReadableDatabase, table: string): boolean =>
  database.all("select 1 from sqlite_schema where name = ?", [table]).length > 0;

export const checkStreams = (database: ReadableDatabase): Check => {
  const rows = countStreams(database);
  const findings = rows.flatMap(({ stream, head, last, count }) =>
    head === last && last === count
      ? []
      : [`${stream} has ${count} events, the last at ${last}, but its head is ${head}`],
  );
  return toCheck("streams", findings, `all events of ${rows.length} streams are present`, REPAIR_HINT);
};

const checkBlobs = async (database: ReadableDatabase, folder: string): Promise<readonly Check[]> => {
  const states = new Map<string, "intact" | "missing" | "damaged">();
  const stateOf = async (hash: string) => {
    const state = states.get(hash) ?? (await examineBlob(folder, hash));
    states.set(hash, state);
    return state;
  };
  const findings: string[] = [];
  try {
    for (const [referenceKind, table, sql] of BLOB_REFERENCES)
      // An older Hearth may have no such table.
      for (const { hash, place } of hasTable(database, table) ? database.all(sql) : []) {
        const state = await stateOf(String(hash));
        if (state !== "intact") findings.push(`${referenceKind} ${place}: blob ${hash} is ${state}`);
      }
  } catch (error) {
    return [failure("blobs", error)];
  }
  // The rows that a repair inserted for lost events.
  const damagedEvents = valueOrFailure("damaged events", () =>
    database.all("select stream, offset from events where body is null and blob is null"),
  );
  const placeholders = "ok" in damagedEvents ? [damagedEvents] : [toPlaceholders(damagedEvents)];
  return [toCheck("blobs", findings, `all ${states.size} are intact`, RESTORE_HINT), ...placeholders];
};

const toPlaceholders = (rows: readonly Readonly<Record<string, unknown>>[]): Check => ({
  name: "lost events",
  ok: true,
  detail: rows.length === 0 ? "none" : `${rows.length} were lost earlier and have placeholders`,
});

const examineBlob = async (folder: string, hash: string): Promise<"intact" | "missing" | "damaged"> => {
  try {
    const bytes = await readFile(join(folder, hash.slice(0, 2), hash));
    return new Bun.CryptoHasher("sha256").update(bytes).digest("hex") === hash ? "intact" : "damaged";
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? "missing" : "damaged";
  }
};

/** Checks that every version has its content, also those that are stored as differences. */
export const checkBrains = async (database: ReadableDatabase, blobs: Pick<Blobs, "get">): Promise<Check> => {
  const rows = database.all(
    "select agent, place, path from brain_versions where erased = 0 and after is not null and not exists " +
      "(select 1 from brain_bodies where brain_bodies.agent = brain_versions.agent and brain_bodies.hash = brain_versions.after)",
  );
  const findings = rows.map(({ agent, place, path }) => `version ${place} of ${path} of ${agent} has no text`);
  for (const { agent, hash, place, path } of selectDifferences(database)) {
    const readBody = createBodyReader({
      agent: String(agent),
      hash: createBunWorld().hash,
      store: createSelect(database),
      blobs,
    });
    try {
      await readBody(String(hash));
    } catch (error) {
      const subject = place === null ? "a proposal" : `version ${place} of ${path}`;
      findings.push(`${subject} of ${agent} cannot be read: ${toErrorBody(error).message}`);
    }
  }
  return toCheck("brains", findings, "every version has its text", "Restore the home folder from a backup.");
};

/** Returns the contents that are stored as differences, each with one version that has it. */
const selectDifferences = (database: ReadableDatabase) => {
  const [base] = database.all("select 1 from pragma_table_info('brain_bodies') where name = 'base'");
  if (base === undefined) return [];
  return database.all(
    "select b.agent, b.hash, min(v.place) as place, v.path from brain_bodies b " +
      "left join brain_versions v on v.agent = b.agent and v.after = b.hash where b.base is not null group by b.agent, b.hash",
  );
};

const checkAudit = async (home: string): Promise<Check> => {
  const name = "audit log";
  try {
    using log = await openOfflineAuditLog(home);
    const findings = await auditFindings(log);
    return toCheck(name, findings, "every row matches its seal", "List the rows: hearth audit verify");
  } catch (error) {
    return failure(name, error);
  }
};

/** Returns the findings of every house's log, each with the name of the house. */
export const auditFindings = async (log: Pick<OfflineAuditLog, "records" | "verify">): Promise<readonly string[]> => {
  const houses = (await log.records()).filter(({ type }) => type === "house");
  const findings: string[] = [];
  for (const { id, handle } of houses)
    for (const { text } of (await log.verify(id as HouseId)).findings) findings.push(`${handle}: ${text}`);
  return findings;
};
