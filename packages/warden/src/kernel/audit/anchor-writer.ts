/**
 * Writes the heads of audit logs to the anchor, after the rows that they seal and at most once a
 * second. The first head of a house is written at once, because a log without an anchor looks
 * truncated.
 */
import type { AuditHead, Clock, HouseId } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { SealKeys } from "../store/seal.ts";
import { type Anchor, type AnchorWriter, markHead } from "./heads.ts";

/**
 * Maximum time by which the anchor lags behind after a crash. Each write syncs a file, and turns
 * should not wait for this.
 */
const WRITE_INTERVAL_MS = 1000;

/**
 * Creates the writer. `known` holds the heads that the anchor already has. Disposing writes the
 * remaining heads.
 */
export const createAnchorWriter = (options: {
  readonly clock: Pick<Clock, "now" | "sleep" | "turn">;
  readonly log: Log;
  readonly keys: SealKeys;
  readonly anchor: Pick<Anchor, "write">;
  readonly known: readonly AuditHead[];
}): AnchorWriter => {
  const { clock, log, keys, anchor } = options;
  const heads = new Map<HouseId, Omit<AuditHead, "mark">>(options.known.map((head) => [head.house, head]));
  // Computes the marked heads when they are needed, because most heads are replaced before they are
  // read.
  const markHeads = (): readonly AuditHead[] => [...heads.values()].map((head) => markHead(keys, head));
  let anchoredHouses: ReadonlySet<HouseId> = new Set(heads.keys());
  const closeAbort = new AbortController();
  let isDue = false;
  let writing: Promise<void> | undefined;

  /** The last write. Two writes at the same time would use the same draft of the file. */
  let lastWrite: Promise<void> = Promise.resolve();
  const writeNow = async (): Promise<void> => {
    isDue = false;
    try {
      const markedHeads = markHeads();
      await anchor.write(markedHeads);
      anchoredHouses = new Set(markedHeads.map(({ house }) => house));
    } catch (error) {
      isDue = true;
      throw error;
    }
  };
  const flush = (): Promise<void> => (lastWrite = lastWrite.catch(() => {}).then(writeNow));
  const write = (): Promise<void> =>
    flush().catch((error: unknown) =>
      log.write("warn", "cannot write the head of the audit log; will try again", { error }),
    );

  const writeSoon = async (): Promise<void> => {
    if ([...heads.keys()].some((house) => !anchoredHouses.has(house))) {
      // Includes further rows of the same commit.
      await clock.turn();
      await write();
    }
    while (isDue && !closeAbort.signal.aborted) {
      await clock.sleep(WRITE_INTERVAL_MS, closeAbort.signal);
      if (!closeAbort.signal.aborted) await write();
    }
    writing = undefined;
  };

  return {
    flush,
    heads: markHeads,
    ends: () => new Map([...heads].map(([house, { offset }]) => [house, offset])),
    recordHead(house, offset, seal) {
      // Commits resolve in order, so the later head of another daemon may already be known.
      if ((heads.get(house)?.offset ?? 0) >= offset) return;
      heads.set(house, { house, offset, seal, at: clock.now() });
      isDue = true;
      if (!closeAbort.signal.aborted) writing ??= writeSoon();
    },
    async [Symbol.asyncDispose]() {
      closeAbort.abort();
      await writing;
      if (isDue) await write();
    },
  };
};
