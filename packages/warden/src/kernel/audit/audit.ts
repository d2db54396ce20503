/**
 * The audit log records what was done in each house, as one sealed chain per house, so that a
 * change without the key is detected. The audited commits write its rows, and `audited-tables.ts`
 * defines them. A house never removes its rows, but old rows move to segments.
 */
import type {
  AuditFacts,
  AuditFinding,
  AuditHead,
  AuditKeyRotation,
  AuditReport,
  AuditRow,
  HouseId,
  World,
} from "@hearth/protocol";
import type { Actor } from "../config/source.ts";
import type { Log } from "../log/log.ts";
import type { Blobs } from "../store/blobs.ts";
import {
  createSealer,
  isSealedSince,
  currentKeyPosition,
  type ReplaceableKeys,
  type Sealer,
  type SealKeys,
} from "../store/seal.ts";
import type { Store, Write } from "../store/store.ts";
import { AUDIT, createAuditedStore, toAppend } from "./audited-store.ts";
import { type Anchor, type AnchorContent, type AnchorWriter, isMarked } from "./heads.ts";
import { createAnchorWriter } from "./anchor-writer.ts";
import { type AuditSource, createAuditSource, auditStreamOf } from "./source.ts";
import { type ActingScope, createAuditRows, type AuditEntry, noActing } from "./audit-rows.ts";
import { ANCHOR_MISSING, verifyLog } from "./verify.ts";
import { createOwnership } from "./ownership.ts";
import type { AuditMatches, AuditSearch } from "./search.ts";
import { createSegments, describeSegment, type Segment } from "./segments.ts";
import type { OpenAuditTarget } from "./forward/target.ts";

/** The parts that a reader needs outside the store: the keys, and the anchor of the heads. */
export interface AuditReaderParts {
  readonly keys: SealKeys;
  readonly anchor: Anchor;
}

/** The parts outside the store. */
export interface AuditParts extends AuditReaderParts {
  readonly keys: ReplaceableKeys;
  /** Number of rows per segment. The last rows stay in the database until they fill a segment. */
  readonly segmentRows: number;
  /** Opens a target that needs the machine. Default: the log is forwarded only to web servers. */
  readonly openTarget?: OpenAuditTarget;
}

export interface AuditLog {
  page(house: HouseId, after: number, limit: number): Promise<readonly AuditRow[]>;
  /** Finds rows, newest first. One call examines a limited number of rows; see `next`. */
  search(house: HouseId, search: AuditSearch): Promise<AuditMatches>;
  verify(house: HouseId): Promise<AuditReport>;
  /** Exports the log as lines of JSON, as `export.ts` describes. */
  export(house: HouseId, since?: number): AsyncIterable<string>;
}

export interface Audit extends AuditLog, Pick<AuditSource, "houses">, AsyncDisposable {
  /** The store for all parts of the house. Its commits are audited. */
  readonly store: Store;
  /**
   * Records an event of the machine that is in no table, in the log of the first house. Durable
   * when the promise resolves. Does nothing if there is no house.
   */
  note(type: "daemon" | "config", facts: AuditFacts): Promise<void>;
  /** Returns the heads that the log did not contain at a start of the daemon. */
  lostHeads(): readonly AuditHead[];
  /** Returns the last row of each log that no power cut can remove. */
  ends(): ReadonlyMap<HouseId, number>;
  readonly openTarget: OpenAuditTarget;
  /**
   * Replaces the key. One commit records the new key in the log of every house, and the new key
   * seals these rows and all later ones. `by` is the person, absent at a stopped house. If it
   * rejects, the next call or the next start completes it.
   */
  rotateKey(by?: Actor): Promise<AuditKeyRotation>;
  /**
   * Moves full segments of rows from before `until` to blobs, in steps. Returns the number of
   * rows.
   */
  archive(until: number, signal?: AbortSignal): Promise<number>;
}

/** Creates the sealer of the audit streams in the store. */
export const sealerOf = (keys: SealKeys): Sealer => createSealer({ covers: AUDIT, keys });

/**
 * Creates the reader of a log, which needs no running daemon. `own` holds heads that are known in
 * addition to those of the anchor.
 */
export const createAuditLog = (options: {
  readonly clock: Pick<World["clock"], "now" | "turn">;
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get">;
  readonly parts: AuditReaderParts;
  readonly own?: () => readonly AuditHead[];
}): AuditLog & Pick<AuditSource, "houses"> => {
  const { clock, store, blobs, parts, own = () => [] } = options;
  const { keys, anchor } = parts;
  const source = createAuditSource(store, clock, createSegments(store, blobs));
  return {
    houses: source.houses,
    page: source.page,
    async search(house, search) {
      const { searchLog } = await import("./search.ts");
      return searchLog(source, house, search);
    },
    async *export(house, since) {
      const { exportLog } = await import("./export.ts");
      yield* exportLog({ source, keys, house, since, now: clock.now() });
    },
    async verify(house) {
      // The heads are read before the rows. Rows that are added meanwhile come after these heads.
      const keyPosition = currentKeyPosition(keys);
      const { heads, lost, isBroken } = await anchor.read();
      const headsOfHouse = [...heads, ...lost, ...own()].filter((head) => head.house === house);
      const unreadable: Segment[] = [];
      const report = await verifyLog({
        house,
        stream: auditStreamOf(house),
        heads: headsOfHouse,
        keys,
        present: keyPosition,
        pages: source.pages(house, undefined, (segment) => void unreadable.push(segment)),
        end: () => source.end(house),
      });
      return {
        ...report,
        findings: [
          ...report.findings,
          ...unreadable.map(toUnreadable),
          ...(isBroken ? [{ fault: "anchor", text: BROKEN_ANCHOR_TEXT } as const] : []),
        ],
      };
    },
  };
};

const toUnreadable = (segment: Segment): AuditFinding => ({
  fault: "missing",
  from: segment.after + 1,
  to: segment.through,
  text: `The log is incomplete: ${describeSegment(segment)}, which is missing or damaged.`,
});

const BROKEN_ANCHOR_TEXT = "The anchor does not contain a list of heads: its content was overwritten.";

/**
 * Opens the audit. If anchor and log do not match, this is reported, and the anchor's heads are set
 * aside, so that later starts report it too. Throws `store.unavailable`.
 */
export const openAudit = async (options: {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly log: Log;
  readonly store: Store;
  readonly blobs: Pick<Blobs, "put" | "get">;
  readonly parts: AuditParts;
  readonly acting?: ActingScope;
}): Promise<Audit> => {
  const { world, log, store, blobs, parts, acting = noActing } = options;
  const { clock } = world;
  const { keys, anchor } = parts;
  const segments = createSegments(store, blobs);
  const source = createAuditSource(store, clock, segments);
  const checkedAnchor = await checkAnchor({ world, log, source, keys, anchor });
  const anchorWriter = createAnchorWriter({ clock, log, keys, anchor, known: checkedAnchor.heads });
  const reader = createAuditLog({ clock, store, blobs, parts, own: anchorWriter.heads });
  const ownership = await createOwnership(store);
  const toEntries = createAuditRows({ hash: world.hash, ownership, acting });
  const audited = createAuditedStore({
    world,
    store,
    ownership,
    toEntries,
    onDurable: anchorWriter.recordHead,
  });
  const anchors = [...checkedAnchor.heads, ...checkedAnchor.lost];
  for (const house of await reader.houses()) {
    // A house from before the audit log gets its first row. From then on, an empty log means that
    // rows were removed.
    const isReplaced = checkedAnchor.replaced.has(house);
    if (!isReplaced && anchors.some((head) => head.house === house)) continue;
    const [row] = await reader.page(house, 0, 1);
    if (!isReplaced && row === undefined)
      await writeEntries(options, [{ house, type: "log", facts: { change: "began" } }], anchorWriter);
    else if (isReplaced || (!checkedAnchor.isBroken && shouldHaveAnchor(row, await findLastRow(source, house)))) {
      log.write("error", "the audit log has lost its anchor: rows at its end may have been removed", { house });
      await writeEntries(options, [{ house, type: "log", facts: { change: ANCHOR_MISSING } }], anchorWriter, [
        toFinding(world, house, row),
      ]);
    }
  }
  /** The last rotation. Two at the same time would disagree about the next key. */
  let rotation: Promise<unknown> = Promise.resolve();
  const rotate = async (by?: Actor): Promise<AuditKeyRotation> => {
    const { rotateKey } = await import("./rotate-key.ts");
    const write = (entries: readonly AuditEntry[]): Promise<void> => writeEntries(options, entries, anchorWriter);
    return rotateKey({ store, source, keys, keeper: anchorWriter, write }, by);
  };
  if (keys.next() !== undefined) await completeRotation(log, rotate);
  return {
    ...reader,
    store: audited,
    async note(type, facts) {
      const house = ownership.firstHouse();
      if (house !== undefined) await writeEntries(options, [{ house, type, facts }], anchorWriter);
    },
    lostHeads: () => checkedAnchor.lost,
    ends: anchorWriter.ends,
    openTarget: parts.openTarget ?? refuseTarget,
    rotateKey(by) {
      const newRotation = rotation.then(() => rotate(by));
      rotation = newRotation.catch(() => {});
      return newRotation;
    },
    async archive(until, signal) {
      const { archiveRows } = await import("./archive.ts");
      const { segmentRows } = parts;
      return archiveRows({ clock, log, store, audited, blobs, source, segments, keys, segmentRows }, until, signal);
    },
    [Symbol.asyncDispose]: () => anchorWriter[Symbol.asyncDispose](),
  };
};

const refuseTarget: OpenAuditTarget = ({ kind }) =>
  Promise.reject(new TypeError(`this daemon sends audit rows to no target of kind ${kind}`));

/**
 * Maximum time between the first row and the first anchor, unless the daemon crashes in between.
 */
const FIRST_ANCHOR_MS = 60_000;

/** Whether the log is old enough that it must have had an anchor. */
const shouldHaveAnchor = (firstRow: AuditRow | undefined, lastRow: AuditRow | undefined): boolean =>
  firstRow !== undefined && lastRow !== undefined && lastRow.at - firstRow.at > FIRST_ANCHOR_MS;

/**
 * Returns the finding that holds the house until its owner decides, because a copy without its
 * anchor may be outdated.
 */
const toFinding = (world: Pick<World, "clock" | "ids">, house: HouseId, firstRow?: AuditRow): Write => ({
  kind: "insert",
  table: "restore_findings",
  row: {
    id: `no-anchor:${world.ids.derive("evt", house, firstRow?.id ?? "", String(world.clock.now()))}`,
    house,
    kind: "no-anchor",
    detail: `The audit anchor is missing, so the log of ${house} cannot be checked for completeness. The home may be an older copy.`,
    found_at: world.clock.now(),
    decision: null,
    by: null,
    decided_at: null,
  },
});

/**
 * Completes a rotation of the key that was interrupted. If it fails again, both keys stay valid, and
 * the next start tries again.
 */
const completeRotation = async (log: Log, rotate: () => Promise<AuditKeyRotation>): Promise<void> => {
  try {
    const { key } = await rotate();
    log.write("info", "completed the interrupted rotation of the audit log's key", { key });
  } catch (error) {
    log.write("error", "could not complete the rotation of the audit log's key; run `hearth audit rotate-key`", {
      error,
    });
  }
};

const findLastRow = async (source: Pick<AuditSource, "backward">, house: HouseId): Promise<AuditRow | undefined> => {
  for await (const [row] of source.backward(house)) if (row !== undefined) return row;
  return undefined;
};

/** Writes rows for an event that no commit causes, in one commit. */
const writeEntries = async (
  { world, store }: { readonly world: Pick<World, "clock" | "ids">; readonly store: Store },
  entries: readonly AuditEntry[],
  anchorWriter: Pick<AnchorWriter, "recordHead">,
  sameCommit: readonly Write[] = [],
): Promise<void> => {
  const rows = entries.map((entry) => toAppend(world, entry));
  const result = await store.commit({ writes: [...rows, ...sameCommit] });
  if (result.kind !== "committed") return;
  for (const [index, { house }] of entries.entries()) {
    const { offset = 0, seal } = result.appended[index] ?? {};
    if (seal !== undefined) anchorWriter.recordHead(house, offset, seal);
  }
};

interface CheckedAnchor extends AnchorContent {
  /** The houses whose head the present key did not mark, so that they have no anchor. */
  readonly replaced: ReadonlySet<HouseId>;
}

/**
 * Checks that the log contains its anchored heads, and that the present key marked them. If it does
 * not, the log was restored or truncated, or the anchor was made by another program. The heads are
 * then set aside, because the next head would hide this.
 */
const checkAnchor = async (options: {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly source: Pick<AuditSource, "page">;
  readonly keys: SealKeys;
  readonly anchor: Anchor;
}): Promise<CheckedAnchor> => {
  const { world, log, source, keys, anchor } = options;
  const anchorContent = await anchor.read();
  const keyPosition = currentKeyPosition(keys);
  const isTrusted = (head: AuditHead): boolean => isMarked(keys, head) && isSealedSince(keys, head.seal, keyPosition);
  const isValid = async (head: AuditHead): Promise<boolean> => {
    const { house, offset, seal } = head;
    if (!isTrusted(head)) return false;
    const [row] = await source.page(house, offset - 1, 1);
    return row?.offset === offset && row.seal === seal;
  };
  const areValid = await Promise.all(anchorContent.heads.map(isValid));
  const replaced = new Set(anchorContent.heads.filter((head) => !isTrusted(head)).map(({ house }) => house));
  if (areValid.every(Boolean) && !anchorContent.isBroken) return { ...anchorContent, replaced };
  await anchor.setAside(world.clock.now());
  log.write("error", "the audit log does not match its anchor; run `hearth audit verify` for details", {
    houses: anchorContent.heads.filter((_, index) => areValid[index] !== true).map(({ house }) => house),
  });
  return { ...(await anchor.read()), replaced };
};
