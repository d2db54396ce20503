/**
 * Checks of retention. Always: the audit log has every row that it had. After two days: no row is
 * gone, and every blob that a row or a frozen input names exists. After a month: old turns are
 * deleted; deliveries, updates and job slots are not; every blob that a row names exists, and old
 * audit rows are archived. After a quarter: finished deliveries and updates are deleted; open ones
 * and the last slot of each job are not.
 */
import { readAudit, SEGMENT_ROWS } from "@hearth/warden/memory-warden";
import type { House } from "./house.ts";
import { checkStepFiles } from "./step-files.ts";
import { checkAbandoned, checkUploadBlobs } from "./upload-runner.ts";

export const TWO_DAYS_MS = 2 * 24 * 60 * 60_000;
export const MONTH_MS = 31 * 24 * 60 * 60_000;
export const QUARTER_MS = 91 * 24 * 60 * 60_000;

/** Rows before a sweep, and the blobs that inputs of turns name. */
export interface Stock {
  readonly rows: readonly string[];
  /** The last slot of each job, by its kind. */
  readonly lastSlots: ReadonlyMap<string, number>;
  readonly blobs: ReadonlySet<string>;
  /** The rows of each audit log as JSON, by house. */
  readonly audit: ReadonlyMap<string, readonly string[]>;
}

const HASH = /\b[0-9a-f]{64}\b/g;

const clock = { now: () => 0, turn: () => Promise.resolve() };

const takeAudit = async (disk: House["disk"]): Promise<Stock["audit"]> => {
  const log = readAudit(disk, clock);
  const rows = new Map<string, readonly string[]>();
  for (const house of await log.houses()) {
    const all = await log.page(house, 0, Infinity);
    rows.set(
      house,
      all.map((row) => JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))),
    );
  }
  return rows;
};

/** The logs verify, and begin with all of these rows. */
const checkAudit = async ({ disk, complain }: House, before: Stock["audit"]): Promise<void> => {
  const log = readAudit(disk, clock);
  for (const house of await log.houses())
    for (const { text } of (await log.verify(house)).findings) complain("retention", `the audit log: ${text}`);
  const after = await takeAudit(disk);
  for (const [house, rows] of before) {
    const lost = rows.findIndex((row, index) => after.get(house)?.[index] !== row);
    if (lost >= 0) complain("retention", `row ${lost + 1} of the audit log of ${house} is gone or has changed`);
  }
};

/** Full segments of these rows, which are old, are in blobs and no longer in the database. */
const checkArchived = async ({ disk: { store }, complain }: House, before: Stock["audit"]): Promise<void> => {
  for (const [house, { length }] of before) {
    const segments = await store.select({ table: "audit_segments", where: { house: house as never } });
    const archived = segments.length * SEGMENT_ROWS;
    if (length - archived > SEGMENT_ROWS) complain("retention", `${length - archived} old audit rows are not archived`);
    const [first] = await store.select({
      table: "events",
      where: { stream: `audit:${house}` },
      order: [{ column: "offset" }],
      limit: 1,
    });
    if (first?.offset !== archived + 1)
      complain("retention", `the database has audit row ${first?.offset}, although ${archived} rows are archived`);
  }
};

/** The hashes in the inputs of all turns. */
const hashesInInputs = async ({ disk: { store, blobs } }: House): Promise<ReadonlySet<string>> => {
  const named = new Set<string>();
  for (const { frozen, frozen_blob: blob } of await store.select({ table: "activations" })) {
    const bytes = blob === null ? undefined : await blobs.intact(blob);
    const text = frozen ?? new TextDecoder().decode(bytes);
    for (const hash of text.match(HASH) ?? []) named.add(hash);
  }
  return named;
};

export const takeStock = async (house: House): Promise<Stock> => {
  const { store, blobs } = house.disk;
  const [activations, steps, inbound, outbox, slots] = await Promise.all([
    store.select({ table: "activations" }),
    store.select({ table: "steps" }),
    store.select({ table: "inbound" }),
    store.select({ table: "outbox" }),
    store.select({ table: "job_slots" }),
  ]);
  const named = await hashesInInputs(house);
  const lastSlots = new Map<string, number>();
  for (const { agent, job, by_hand: byHand, slot } of slots) {
    const group = `${job} of ${agent}, ${byHand}`;
    lastSlots.set(group, Math.max(slot, lastSlots.get(group) ?? 0));
  }
  return {
    lastSlots,
    audit: await takeAudit(house.disk),
    rows: [
      ...activations.map(({ id }) => id),
      ...steps.map(({ activation, step }) => `step ${step} of ${activation}`),
      ...inbound.map(({ channel, external }) => `update ${external} of ${channel}`),
      ...outbox.map(({ id }) => `delivery ${id}`),
      ...slots.map((row) => `slot ${row.slot} of ${row.job} of ${row.agent}, ${row.by_hand}`),
    ],
    blobs: new Set(blobs.names().filter((hash) => named.has(hash))),
  };
};

/** Rows of turns, which end earlier than the others. */
const isOfTurn = (row: string): boolean => row.startsWith("act_") || row.startsWith("step ");

/** None of these rows is gone. */
const checkRows = async (house: House, rows: readonly string[]): Promise<void> => {
  const left = new Set((await takeStock(house)).rows);
  const lost = rows.find((row) => !left.has(row));
  if (lost !== undefined) house.complain("retention", `${lost} was deleted within its retention time`);
};

/** Runs after a sweep within the retention time of all rows. */
export const checkKept = async (house: House, before: Stock): Promise<void> => {
  const { disk, complain } = house;
  await checkRows(house, before.rows);
  // An input that was forgotten meanwhile names other blobs.
  const named = await hashesInInputs(house);
  for (const hash of before.blobs)
    if (named.has(hash) && !disk.blobs.names().includes(hash))
      complain("retention", `the blob ${hash}, which an input names, is missing`);
  await checkBlobs(house);
  await checkAudit(house, before.audit);
  await checkAbandoned(house);
};

/**
 * Runs after a sweep. Turns that ended before `endedBefore`, by the wall clock, are a month old.
 */
export const checkRetention = async (house: House, before: Stock, endedBefore: number): Promise<void> => {
  const { disk, complain } = house;
  const [activations, steps] = await Promise.all([
    disk.store.select({ table: "activations" }),
    disk.store.select({ table: "steps" }),
  ]);
  const old = activations.filter(({ ended_at: ended }) => ended !== null && ended < endedBefore);
  if (old.length > 0) complain("retention", `${old.length} turns that ended a month ago are still there`);
  const known = new Set(activations.map(({ id }) => id));
  const orphan = steps.find(({ activation }) => !known.has(activation));
  if (orphan !== undefined) complain("retention", `the steps of ${orphan.activation} outlived their turn`);
  await checkRows(
    house,
    before.rows.filter((row) => !isOfTurn(row)),
  );
  await checkBlobs(house);
  await checkAudit(house, before.audit);
  await checkArchived(house, before.audit);
};

/** Runs after a sweep a quarter later. No row of `before` is younger than the retention of deliveries. */
export const checkPruned = async (house: House, before: Stock): Promise<void> => {
  const { disk, complain } = house;
  const open = new Set(
    (await disk.store.select({ table: "outbox", where: { ended_at: null } })).map(({ id }) => `delivery ${id}`),
  );
  const left = new Set((await takeStock(house)).rows);
  for (const row of before.rows) {
    const isAged = row.startsWith("update ") || (row.startsWith("delivery ") && !open.has(row));
    if (isAged && left.has(row)) complain("retention", `${row} was not deleted after a quarter`);
  }
  await checkRows(
    house,
    before.rows.filter((row) => open.has(row)),
  );
  const { lastSlots } = await takeStock(house);
  for (const [group, slot] of before.lastSlots)
    if ((lastSlots.get(group) ?? 0) < slot) complain("retention", `the last slot of ${group} was deleted`);
  await checkAudit(house, before.audit);
};

/** Every blob that a row names exists. */
const checkBlobs = async (house: House): Promise<void> => {
  await checkUploadBlobs(house);
  await checkStepFiles(house);
  const { disk, complain } = house;
  const { store, blobs } = disk;
  const [activations, steps, events, bodies, compactions, segments] = await Promise.all([
    store.select({ table: "activations" }),
    store.select({ table: "steps" }),
    store.select({ table: "events" }),
    store.select({ table: "brain_bodies" }),
    store.select({ table: "compactions" }),
    store.select({ table: "audit_segments" }),
  ]);
  const named = new Set<string>();
  const name = (hash: string | null, what: string): void => {
    if (hash === null || named.has(hash)) return;
    named.add(hash);
    if (!blobs.names().includes(hash)) complain("retention", `the blob of ${what} is missing`);
  };
  for (const { stream, offset, blob } of events) name(blob, `event ${offset} of ${stream}`);
  for (const { hash, text } of bodies) if (text === null) name(hash, "a version of a file");
  for (const { summary, place } of compactions) name(summary, `the summary of compaction ${place}`);
  for (const { after, blob } of segments) name(blob, `the audit rows after ${after}`);
  for (const { activation, step, output_blob: blob } of steps) name(blob, `step ${step} of ${activation}`);
  for (const { id, frozen_blob: blob } of activations) name(blob, `the input of ${id}`);
};
