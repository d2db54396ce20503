/**
 * The audit log: what was done in each house, in one chain per house that shows when anybody without the key has changed it. It is written
 * by the commits that it tells of, see `told.ts` for what; nothing in a house removes a row of it.
 */
import type { AuditFacts, AuditHead, AuditReport, AuditRow, HouseId, World } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import { createSealer, type Hmac } from "../store/seal.ts";
import type { Store, Write } from "../store/store.ts";
import { AUDIT, createAuditedStore, toAppend } from "./audited-store.ts";
import type { Anchor, Anchored, AnchorWriter } from "./heads.ts";
import { createAnchorWriter } from "./anchor-writer.ts";
import { type AuditSource, createAuditSource, streamOf } from "./source.ts";
import { createAuditRows, type Entry } from "./audit-rows.ts";
import { ANCHOR_GONE, verifyLog } from "./verify.ts";
import { createOwnership } from "./ownership.ts";

/** What lies outside the store: the key, and where heads are kept. */
export interface AuditParts {
  readonly hmac: Hmac;
  readonly anchor: Anchor;
}

export interface AuditLog {
  page(house: HouseId, after: number, limit: number): Promise<readonly AuditRow[]>;
  /** The last rows, oldest first. */
  latest(house: HouseId, limit: number): Promise<readonly AuditRow[]>;
  verify(house: HouseId): Promise<AuditReport>;
  /** Lines of JSON; see `export.ts`. */
  export(house: HouseId, since?: number): AsyncIterable<string>;
}

export interface Audit extends AuditLog, Pick<AuditSource, "houses">, AsyncDisposable {
  /** For every part of the house: what is committed here is told. */
  readonly store: Store;
  /** Tells in the log of the first house what no table does: about the machine. Durable when it resolves; nothing while there is no house. */
  note(type: "daemon" | "config", facts: AuditFacts): Promise<void>;
  /** Heads that the log did not lead to when the daemon started, at this start or an earlier one. */
  lost(): readonly AuditHead[];
}

/** Of all streams, those that the log is. The store seals them. */
export const sealerOf = (hmac: Hmac) => createSealer({ covers: AUDIT, hmac });

/** Reads a log as it stands, with or without a daemon. `own`: heads that are known beside those of the anchor. */
export const createAuditLog = (options: {
  readonly clock: Pick<World["clock"], "now" | "turn">;
  readonly store: Pick<Store, "select">;
  readonly parts: AuditParts;
  readonly own?: () => readonly AuditHead[];
}): AuditLog & Pick<AuditSource, "houses"> => {
  const { clock, store, parts, own = () => [] } = options;
  const { hmac, anchor } = parts;
  const source = createAuditSource(store, clock);
  const sealer = sealerOf(hmac);
  return {
    houses: source.houses,
    page: source.page,
    latest: source.latest,
    async *export(house, since) {
      const { exportLog } = await import("./export.ts");
      yield* exportLog({ source, hmac, house, since, now: clock.now() });
    },
    async verify(house) {
      // Before any row is read: what comes while they are read comes after these.
      const { heads, lost, isBroken } = await anchor.read();
      const mine = [...heads, ...lost, ...own()].filter((head) => head.house === house);
      const report = await verifyLog({
        ...{ house, stream: streamOf(house), heads: mine, sealer, hmac },
        pages: source.pages(house),
        end: () => source.end(house),
      });
      if (!isBroken) return report;
      return { ...report, findings: [...report.findings, { fault: "anchor", text: BROKEN }] };
    },
  };
};

const BROKEN = "What stands at the anchor is no list of heads: somebody else wrote it.";

/** Throws `store.unavailable`. What the anchor says and the log does not is told at once, and set aside to be told again. */
export const openAudit = async (options: {
  readonly world: Pick<World, "clock" | "ids" | "hash">;
  readonly log: Log;
  readonly store: Store;
  readonly parts: AuditParts;
}): Promise<Audit> => {
  const { world, log, store, parts } = options;
  const { clock } = world;
  const { hmac, anchor } = parts;
  const reader = createAuditLog({ clock, store, parts, own: () => keeper.heads() });
  const anchored = await settleAnchor({ ...options, anchor });
  const keeper = createAnchorWriter({ clock, log, hmac, anchor, known: anchored.heads });
  const whose = await createOwnership(store);
  const tell = createAuditRows({ hash: world.hash, whose });
  const audited = createAuditedStore({ world, store, whose, tell, kept: keeper.kept });
  const anchors = [...anchored.heads, ...anchored.lost];
  for (const house of await reader.houses()) {
    const [row] = await reader.page(house, 0, 1);
    // Of a time before there was a log: from here on an empty one is a log that was taken away.
    if (anchors.some((head) => head.house === house)) continue;
    if (row === undefined) await write(options, { house, type: "log", facts: { change: "began" } }, keeper);
    else if (!anchored.isBroken && isCutLoose(row, (await reader.latest(house, 1))[0])) {
      log.write("error", "the audit log has lost its anchor: rows at its end may have been taken away", { house });
      await write(options, { house, type: "log", facts: { change: ANCHOR_GONE } }, keeper, [
        toFinding(world, house, row),
      ]);
    }
  }
  return {
    ...reader,
    store: audited,
    async note(type, facts) {
      const house = whose.home();
      if (house !== undefined) await write(options, { house, type, facts }, keeper);
    },
    lost: () => anchored.lost,
    [Symbol.asyncDispose]: () => keeper[Symbol.asyncDispose](),
  };
};

/** The first anchor of a log is made with its first row, but for a crash in that very moment. */
const FIRST_ANCHOR_MS = 60_000;

/** Whether a log without an anchor is older than one that never had any can be. */
const isCutLoose = (first: AuditRow, last: AuditRow | undefined): boolean =>
  last !== undefined && last.at - first.at > FIRST_ANCHOR_MS;

/** Keeps the house on hold until its owner decides: a copy without its anchor may be an old one. */
const toFinding = (world: Pick<World, "clock" | "ids">, house: HouseId, first: AuditRow): Write => ({
  kind: "insert",
  table: "restore_findings",
  row: {
    ...{
      id: `no-anchor:${world.ids.derive("evt", house, first.id, String(world.clock.now()))}`,
      house,
      kind: "no-anchor",
    },
    detail: `The audit anchor is gone: nothing says whether the log of ${house} is complete. The home may be an older copy.`,
    ...{ found_at: world.clock.now(), decision: null, by: null, decided_at: null },
  },
});

/** A row by itself: of what no commit does. */
const write = async (
  { world, store }: { readonly world: Pick<World, "clock" | "ids">; readonly store: Store },
  entry: Entry,
  keeper: Pick<AnchorWriter, "kept">,
  along: readonly Write[] = [],
): Promise<void> => {
  const row = toAppend(world, entry);
  const result = await store.commit({ writes: [row, ...along] });
  if (result.kind !== "committed") return;
  for (const { offset, seal } of result.appended) if (seal !== undefined) keeper.kept(entry.house, offset, seal);
};

/** Whether the log still leads to its heads. Where it does not it was restored or cut short: that is kept, for the next head hides it. */
const settleAnchor = async (options: {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Pick<Store, "select">;
  readonly anchor: Anchor;
}): Promise<Anchored> => {
  const { world, log, store, anchor } = options;
  const found = await anchor.read();
  const leads = async ({ house, offset, seal }: AuditHead): Promise<boolean> => {
    const [row] = await store.select({ table: "events", where: { stream: streamOf(house), offset } });
    return row?.seal === seal;
  };
  const held = await Promise.all(found.heads.map(leads));
  if (held.every(Boolean) && !found.isBroken) return found;
  await anchor.setAside(world.clock.now());
  log.write("error", "the audit log is not the one that its anchor knows: hearth audit verify says where", {
    houses: found.heads.filter((_, index) => held[index] !== true).map(({ house }) => house),
  });
  return anchor.read();
};
