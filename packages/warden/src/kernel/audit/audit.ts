/**
 * The audit log records what was done in each house, as one sealed chain per house, so that a
 * change without the key is detected. The audited commits write its rows, and `audited-tables.ts`
 * defines them. A house never removes its rows, but old rows move to segments.
 */
import type { AuditFacts, AuditFinding, AuditHead, AuditReport, AuditRow, HouseId, World } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { Blobs } from "../store/blobs.ts";
import { createSealer, type Hmac } from "../store/seal.ts";
import type { Store, Write } from "../store/store.ts";
import { AUDIT, createAuditedStore, toAppend } from "./audited-store.ts";
import type { Anchor, AnchorContent, AnchorWriter } from "./heads.ts";
import { createAnchorWriter } from "./anchor-writer.ts";
import { type AuditSource, createAuditSource, auditStreamOf } from "./source.ts";
import { createAuditRows, type AuditEntry } from "./audit-rows.ts";
import { ANCHOR_MISSING, verifyLog } from "./verify.ts";
import { createOwnership } from "./ownership.ts";
import type { AuditMatches, AuditSearch } from "./search.ts";
import { createSegments, nameSegment, type Segment } from "./segments.ts";
import type { OpenAuditTarget } from "./forward/target.ts";

/** The parts outside the store: the key, and the anchor of the heads. */
export interface AuditParts {
  readonly hmac: Hmac;
  readonly anchor: Anchor;
  /** Number of rows of an archived segment. Default: `SEGMENT_ROWS`. */
  readonly segmentRows?: number;
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
   * Moves full segments of rows from before `until` to blobs, in steps. Returns the number of
   * rows.
   */
  archive(until: number, signal?: AbortSignal): Promise<number>;
}

/** Creates the sealer of the audit streams in the store. */
export const sealerOf = (hmac: Hmac) => createSealer({ covers: AUDIT, hmac });

/**
 * Creates the reader of a log, which needs no running daemon. `own` holds heads that are known in
 * addition to those of the anchor.
 */
export const createAuditLog = (options: {
  readonly clock: Pick<World["clock"], "now" | "turn">;
  readonly store: Pick<Store, "select">;
  readonly blobs: Pick<Blobs, "get">;
  readonly parts: AuditParts;
  readonly own?: () => readonly AuditHead[];
}): AuditLog & Pick<AuditSource, "houses"> => {
  const { clock, store, blobs, parts, own = () => [] } = options;
  const { hmac, anchor } = parts;
  const source = createAuditSource(store, clock, createSegments(store, blobs));
  const sealer = sealerOf(hmac);
  return {
    houses: source.houses,
    page: source.page,
    async search(house, search) {
      const { searchLog } = await import("./search.ts");
      return searchLog(source, house, search);
    },
    async *export(house, since) {
      const { exportLog } = await import("./export.ts");
      yield* exportLog({ source, hmac, house, since, now: clock.now() });
    },
    async verify(house) {
      // The heads are read before the rows. Rows that are added meanwhile come after these heads.
      const { heads, lost, isBroken } = await anchor.read();
      const headsOfHouse = [...heads, ...lost, ...own()].filter((head) => head.house === house);
      const unreadable: Segment[] = [];
      const report = await verifyLog({
        house,
        stream: auditStreamOf(house),
        heads: headsOfHouse,
        sealer,
        hmac,
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
  text: `The log is incomplete: ${nameSegment(segment)}, which is missing or damaged.`,
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
}): Promise<Audit> => {
  const { world, log, store, blobs, parts } = options;
  const { clock } = world;
  const { hmac, anchor } = parts;
  const segments = createSegments(store, blobs);
  const source = createAuditSource(store, clock, segments);
  const anchored = await checkAnchor({ world, log, source, anchor });
  const keeper = createAnchorWriter({ clock, log, hmac, anchor, known: anchored.heads });
  const reader = createAuditLog({ clock, store, blobs, parts, own: keeper.heads });
  const ownership = await createOwnership(store);
  const toEntries = createAuditRows({ hash: world.hash, ownership: ownership });
  const audited = createAuditedStore({
    world,
    store,
    ownership: ownership,
    toEntries: toEntries,
    onDurable: keeper.recordHead,
  });
  const anchors = [...anchored.heads, ...anchored.lost];
  for (const house of await reader.houses()) {
    // A house from before the audit log gets its first row. From then on, an empty log means that
    // rows were removed.
    if (anchors.some((head) => head.house === house)) continue;
    const [row] = await reader.page(house, 0, 1);
    if (row === undefined) await writeEntry(options, { house, type: "log", facts: { change: "began" } }, keeper);
    else if (!anchored.isBroken && shouldHaveAnchor(row, await lastRow(source, house))) {
      log.write("error", "the audit log has lost its anchor: rows at its end may have been removed", { house });
      await writeEntry(options, { house, type: "log", facts: { change: ANCHOR_MISSING } }, keeper, [
        toFinding(world, house, row),
      ]);
    }
  }
  return {
    ...reader,
    store: audited,
    async note(type, facts) {
      const house = ownership.firstHouse();
      if (house !== undefined) await writeEntry(options, { house, type, facts }, keeper);
    },
    lostHeads: () => anchored.lost,
    ends: keeper.ends,
    openTarget: parts.openTarget ?? refuseTarget,
    async archive(until, signal) {
      const { archiveRows, SEGMENT_ROWS } = await import("./archive.ts");
      const { segmentRows = SEGMENT_ROWS } = parts;
      const sealer = sealerOf(hmac);
      return archiveRows(
        { clock, log, store, audited, blobs, source, segments, sealer, hmac, segmentRows },
        until,
        signal,
      );
    },
    [Symbol.asyncDispose]: () => keeper[Symbol.asyncDispose](),
  };
};

const refuseTarget: OpenAuditTarget = ({ kind }) =>
  Promise.reject(new TypeError(`this daemon sends audit rows to no target of kind ${kind}`));

/**
 * Maximum time between the first row and the first anchor, unless the daemon crashes in between.
 */
const FIRST_ANCHOR_MS = 60_000;

/** Whether the log is old enough that it must have had an anchor. */
const shouldHaveAnchor = (first: AuditRow, last: AuditRow | undefined): boolean =>
  last !== undefined && last.at - first.at > FIRST_ANCHOR_MS;

/**
 * Returns the finding that holds the house until its owner decides, because a copy without its
 * anchor may be outdated.
 */
const toFinding = (world: Pick<World, "clock" | "ids">, house: HouseId, first: AuditRow): Write => ({
  kind: "insert",
  table: "restore_findings",
  row: {
    id: `no-anchor:${world.ids.derive("evt", house, first.id, String(world.clock.now()))}`,
    house,
    kind: "no-anchor",
    detail: `The audit anchor is missing, so the log of ${house} cannot be checked for completeness. The home may be an older copy.`,
    found_at: world.clock.now(),
    decision: null,
    by: null,
    decided_at: null,
  },
});

const lastRow = async (source: Pick<AuditSource, "backward">, house: HouseId): Promise<AuditRow | undefined> => {
  for await (const [row] of source.backward(house)) if (row !== undefined) return row;
  return undefined;
};

/** Writes a row for an event that no commit causes. */
const writeEntry = async (
  { world, store }: { readonly world: Pick<World, "clock" | "ids">; readonly store: Store },
  entry: AuditEntry,
  keeper: Pick<AnchorWriter, "recordHead">,
  sameCommit: readonly Write[] = [],
): Promise<void> => {
  const row = toAppend(world, entry);
  const result = await store.commit({ writes: [row, ...sameCommit] });
  if (result.kind !== "committed") return;
  for (const { offset, seal } of result.appended) if (seal !== undefined) keeper.recordHead(entry.house, offset, seal);
};

/**
 * Checks that the log contains its anchored heads. If it does not, the log was restored or
 * truncated. The heads are then set aside, because the next head would hide this.
 */
const checkAnchor = async (options: {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly source: Pick<AuditSource, "page">;
  readonly anchor: Anchor;
}): Promise<AnchorContent> => {
  const { world, log, source, anchor } = options;
  const found = await anchor.read();
  const isInLog = async ({ house, offset, seal }: AuditHead): Promise<boolean> => {
    const [row] = await source.page(house, offset - 1, 1);
    return row?.offset === offset && row.seal === seal;
  };
  const areValid = await Promise.all(found.heads.map(isInLog));
  if (areValid.every(Boolean) && !found.isBroken) return found;
  await anchor.setAside(world.clock.now());
  log.write("error", "the audit log does not match its anchor; run `hearth audit verify` for details", {
    houses: found.heads.filter((_, index) => areValid[index] !== true).map(({ house }) => house),
  });
  return anchor.read();
};
