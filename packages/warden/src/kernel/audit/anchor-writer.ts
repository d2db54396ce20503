/**
 * Brings heads to the anchor: soon after what they lead to, never before it, and at most once a second however much is done. The first of
 * a house goes there at once: a log without any anchor is one that somebody has cut loose.
 */
import type { AuditHead, Clock, HouseId } from "@hearth/protocol";
import type { Log } from "../log/log.ts";
import type { Hmac } from "../store/seal.ts";
import { type Anchor, type AnchorWriter, markHead } from "./heads.ts";

/** What a crash may leave the anchor behind. Each write syncs a file, which turns should not wait behind. */
const EVERY_MS = 1000;

/** Writes what is left when it is disposed. `known`: heads that stand at the anchor already. */
export const createAnchorWriter = (options: {
  readonly clock: Pick<Clock, "now" | "sleep" | "turn">;
  readonly log: Log;
  readonly hmac: Hmac;
  readonly anchor: Pick<Anchor, "write">;
  readonly known: readonly AuditHead[];
}): AnchorWriter => {
  const { clock, log, hmac, anchor } = options;
  const heads = new Map<HouseId, Omit<AuditHead, "mark">>(options.known.map((head) => [head.house, head]));
  // Made when somebody asks: most heads are passed over before anybody does.
  const marked = (): readonly AuditHead[] => [...heads.values()].map((head) => markHead(hmac, head));
  let anchored: ReadonlySet<HouseId> = new Set(heads.keys());
  const closing = new AbortController();
  let isDue = false;
  let writing: Promise<void> | undefined;

  const write = async (): Promise<void> => {
    isDue = false;
    try {
      const written = marked();
      await anchor.write(written);
      anchored = new Set(written.map(({ house }) => house));
    } catch (error) {
      isDue = true;
      log.write("warn", "the head of the audit log could not be kept and will be tried again", { error });
    }
  };

  const writeSoon = async (): Promise<void> => {
    if ([...heads.keys()].some((house) => !anchored.has(house))) {
      // What the same commit has further comes along.
      await clock.turn();
      await write();
    }
    while (isDue && !closing.signal.aborted) {
      await clock.sleep(EVERY_MS, closing.signal);
      if (!closing.signal.aborted) await write();
    }
    writing = undefined;
  };

  return {
    heads: marked,
    kept(house, offset, seal) {
      // Commits resolve in their order; a second daemon's later one may be known already.
      if ((heads.get(house)?.offset ?? 0) >= offset) return;
      heads.set(house, { house, offset, seal, at: clock.now() });
      isDue = true;
      if (!closing.signal.aborted) writing ??= writeSoon();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await writing;
      if (isDue) await write();
    },
  };
};
