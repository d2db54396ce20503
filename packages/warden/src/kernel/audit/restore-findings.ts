/**
 * Finds signs that the home was restored or copied: the mark of a restore, a database behind its
 * audit anchor, a missing anchor, or missing bodies of the newest messages. A finding without a
 * decision keeps the house on hold, also after a restart.
 */
import type { Log } from "../log/log.ts";
import type { Blobs } from "../store/blobs.ts";
import type { Store, Write } from "../store/store.ts";
import type { Row } from "../store/tables/tables.ts";
import type { AgentId, AuditHead, RestoreDecision, RestoreFinding, World } from "@hearth/protocol";

export interface RestoreFindings {
  /** Returns the findings without a decision. The house is on hold while there are any. */
  open(): readonly RestoreFinding[];
  isOnHold(): boolean;
  /**
   * Identifies the database from one restore to the next. The epoch changes at the first start
   * after a restore, because offsets that clients received before may then belong to other
   * events.
   */
  readonly epoch: string;
  /** Decides all findings. Durable when the promise resolves. */
  decide(decision: RestoreDecision, by: AgentId): Promise<void>;
}

/** A restore from a backup. */
export interface RestoredHome {
  /** An id that is unique to this restore. */
  readonly id: string;
  /** A description for people. */
  readonly detail: string;
}

/** Number of the newest events with a separate body that a start checks. */
const MAX_CHECKED_EVENTS = 16;
const EPOCH_BYTES = 8;
const EPOCH_LENGTH = 16;

export const openRestoreFindings = async (options: {
  readonly world: Pick<World, "clock" | "hash" | "random">;
  readonly log: Log;
  readonly store: Store;
  readonly blobs: Pick<Blobs, "get">;
  /** Heads in the anchor that the audit log does not contain. */
  readonly lost: readonly AuditHead[];
  readonly restored?: RestoredHome | undefined;
}): Promise<RestoreFindings> => {
  const { world, log, store, blobs, lost, restored } = options;
  const now = world.clock.now();
  const [storedEpoch] = await store.select({ table: "epochs" });
  const knownRows = await store.select({ table: "restore_findings" });
  const newRows = [
    ...(restored === undefined ? [] : [toRestored(restored)]),
    ...lost.map(toBehind),
    ...(await findMissingBlobs(store, blobs, world)),
  ]
    .filter(({ id }, index, findings) => findings.findIndex((finding) => finding.id === id) === index)
    .filter(({ id }) => !knownRows.some((row) => row.id === id))
    .map((finding): FindingRow => ({ ...finding, found_at: now, decision: null, by: null, decided_at: null }));
  const baseEpoch = storedEpoch?.epoch ?? world.random(EPOCH_BYTES).toHex();
  const writes: Write[] = [
    ...(storedEpoch === undefined
      ? [{ kind: "insert", table: "epochs", row: { epoch: baseEpoch, at: now } } as const]
      : []),
    ...newRows.map((row) => ({ kind: "insert", table: "restore_findings", row }) as const),
  ];
  if (writes.length > 0) await store.commit({ writes });
  const rows = [...knownRows, ...newRows];
  const epoch = epochOf(baseEpoch, rows, world);
  let openFindings = rows.filter(({ decision }) => decision === null);
  for (const { kind, detail } of openFindings)
    log.write("error", "the house is on hold: its home was restored or copied; see hearth restore show", {
      kind,
      detail,
    });

  return {
    open: () => openFindings.map(toFinding),
    isOnHold: () => openFindings.length > 0,
    epoch,
    async decide(decision, by) {
      const set = { decision, by, decided_at: world.clock.now() };
      await store.commit({
        writes: openFindings.map(
          ({ id }) => ({ kind: "update", table: "restore_findings", where: { id }, set }) as const,
        ),
      });
      openFindings = [];
    },
  };
};

type FindingRow = Row<"restore_findings">;
type NewFinding = Pick<FindingRow, "id" | "house" | "kind" | "detail">;

/**
 * Returns the epoch. It depends on every finding so far, so a copy with other findings has another
 * epoch.
 */
const epochOf = (baseEpoch: string, rows: readonly FindingRow[], world: Pick<World, "hash">): string => {
  if (rows.length === 0) return baseEpoch.slice(0, EPOCH_LENGTH);
  const findingKeys = rows.map(({ id, found_at }) => `${id} ${found_at}`).toSorted();
  return world.hash([baseEpoch, ...findingKeys].join("\n")).slice(0, EPOCH_LENGTH);
};

const toRestored = ({ id, detail }: RestoredHome): NewFinding => ({
  id: `restored:${id}`,
  house: null,
  kind: "restored",
  detail,
});

const toBehind = ({ house, offset, mark }: AuditHead): NewFinding => ({
  id: mark,
  house,
  kind: "behind",
  detail: `The database is older than its audit anchor, or the anchor was replaced: it knows row ${offset} of the log of ${house}.`,
});

/**
 * Maximum time that a start waits for the check of the newest blobs. A slow disk does not suggest
 * a copy.
 */
const CHECK_TIMEOUT_MS = 500;

/**
 * Finds missing blobs of the newest messages. If some are missing, the folder `blobs` was copied
 * before the database.
 */
const findMissingBlobs = async (
  store: Store,
  blobs: Pick<Blobs, "get">,
  world: Pick<World, "hash" | "clock">,
): Promise<readonly NewFinding[]> => {
  const newest = await store.select({
    table: "events",
    and: [{ column: "blob", is: ">", value: "" }],
    limit: MAX_CHECKED_EVENTS,
    order: [{ column: "at", descending: true }],
  });
  if (newest.length === 0) return [];
  const controller = new AbortController();
  const checks = Promise.all(newest.map(async ({ blob }) => blob !== null && (await isMissing(blobs, blob))));
  const results = await Promise.race([checks, world.clock.sleep(CHECK_TIMEOUT_MS, controller.signal)]);
  controller.abort();
  const missingTexts = newest
    .filter((_, index) => results?.[index] === true)
    .map(({ stream, offset, blob }) => `${stream} ${offset} (blobs/${blob})`);
  if (missingTexts.length === 0) return [];
  const detail = `The text of ${missingTexts.length} of the newest messages is missing: ${missingTexts.join(", ")}. The home may have been copied while Hearth was running.`;
  return [{ id: `missing-blobs:${world.hash(detail)}`, house: null, kind: "missing-blobs", detail }];
};

/**
 * Whether the blob is missing. A damaged blob is shown as a damaged message and does not suggest
 * a copy.
 */
const isMissing = (blobs: Pick<Blobs, "get">, hash: string): Promise<boolean> =>
  blobs.get(hash).then(
    (bytes) => bytes === undefined,
    () => false,
  );

const toFinding = ({ id, kind, detail, found_at }: FindingRow): RestoreFinding => ({
  id,
  kind,
  detail,
  foundAt: found_at,
});
