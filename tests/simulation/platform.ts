/**
 * A chat platform that outlives the daemons. It keeps updates until they are acknowledged and
 * delivers some twice or out of order. It accepts messages with or without idempotency keys, and
 * loses some responses.
 */
import type {
  Channel,
  EndedChoices,
  InboundUpdate,
  InboundBatch,
  MemoryDisk,
  Outbound,
  SendResult,
} from "@hearth/warden/memory-warden";
import type { Chance } from "./chance.ts";
import type { Complain, IsLate } from "./far-side.ts";
import type { Life } from "./life.ts";

export interface Platform {
  readonly name: string;
  readonly takesKeys: boolean;
  /** Adds an update. */
  push(inbound: InboundUpdate): void;
  /** All updates. */
  readonly pushed: readonly InboundUpdate[];
  /** Messages on the platform. A repeated send adds no copy if the platform takes keys. */
  readonly arrived: readonly Outbound[];
  /** Removals of buttons from messages. */
  readonly endings: readonly EndedChoices[];
  /** Keys of messages that arrived from a daemon after another one had taken the delivery over. */
  readonly late: ReadonlySet<string>;
  /** The platform as one daemon reaches it. */
  channelOf(life: Life): Channel;
}

export interface PlatformFaults {
  /** Share of sends that fail, and of updates that arrive twice or out of order. */
  trouble(): number;
}

const error = (code: "channel.unreachable" | "channel.rate-limited" | "channel.refused") =>
  ({ code, message: "It failed." }) as const;
/** Maximum number of updates in one batch. */
const BATCH = 3;

export const createPlatform = (options: {
  readonly name: string;
  readonly takesKeys: boolean;
  readonly chance: Chance;
  readonly disk: MemoryDisk;
  /**
   * Whether two daemons send. A daemon that starts treats the other's open delivery as interrupted.
   */
  readonly isShared: boolean;
  readonly isLate: IsLate;
  readonly faults: PlatformFaults;
  readonly complain: Complain;
}): Platform => {
  const { name, takesKeys, chance, disk, isShared, isLate, faults, complain } = options;
  const pushed: InboundUpdate[] = [];
  /** Updates in the order of delivery, with duplicates. */
  const queue: InboundUpdate[] = [];
  const arrived: Outbound[] = [];
  const endings: EndedChoices[] = [];
  const late = new Set<string>();
  const messageIds = new Map<string, string>();
  let acknowledged = 0;
  /** Number of entries of `queue` that were delivered at least once. */
  let delivered = 0;
  let pushSignal = Promise.withResolvers<void>();

  const acknowledge = async (cursor: string | undefined): Promise<void> => {
    const until = Number(cursor ?? 0);
    for (const { externalId } of queue.slice(acknowledged, until)) {
      const rows = await disk.store.select({ table: "inbound", where: { channel: name, external: externalId } });
      if (rows.length === 0) complain("I1", `${externalId} of ${name} was acknowledged but not stored`);
    }
    acknowledged = Math.max(acknowledged, until);
  };

  /** The updates after the last acknowledged one, whatever cursor the daemon sent. */
  const nextBatch = (): InboundBatch | undefined => {
    const size = Math.min(queue.length - acknowledged, chance.whole(1, BATCH));
    if (size === 0) return undefined;
    delivered = Math.max(delivered, acknowledged + size);
    return { inbound: queue.slice(acknowledged, acknowledged + size), cursor: String(acknowledged + size) };
  };

  const take = (outbound: Outbound): SendResult => {
    const known = takesKeys ? messageIds.get(outbound.key) : undefined;
    if (known !== undefined) return { kind: "sent", messageId: known };
    const messageId = `${name}-${arrived.push(outbound)}`;
    messageIds.set(outbound.key, messageId);
    return { kind: "sent", messageId };
  };

  const receive = async (daemon: string, outbound: Outbound): Promise<SendResult> => {
    if (isLate(daemon, outbound.key)) late.add(outbound.key);
    const [row] = await disk.store.select({ table: "outbox", where: { id: outbound.key } });
    if (row?.state !== "sending" && !isShared)
      complain("I2", `${name} was asked to send ${outbound.key} while its row was ${row?.state ?? "not there"}`);
    const isKnown = takesKeys && messageIds.has(outbound.key);
    return isKnown ? take(outbound) : withTrouble(() => take(outbound));
  };

  /** Performs the call, or fails with a random outcome. */
  const withTrouble = (done: () => SendResult): SendResult => {
    if (!chance.happens(faults.trouble())) return done();
    switch (chance.whole(0, 4)) {
      case 0:
        return { kind: "later", error: error("channel.unreachable") };
      case 1:
        return { kind: "later", error: error("channel.rate-limited"), retryAfterMs: chance.whole(100, 20_000) };
      case 2:
        return { kind: "refused", error: error("channel.refused") };
      case 3:
        return { kind: "unknown", error: error("channel.unreachable") };
      default:
        done();
        return { kind: "unknown", error: error("channel.unreachable") };
    }
  };

  const end = (ended: EndedChoices): SendResult => {
    const own = [...messageIds.values()].includes(ended.messageId);
    if (!own) complain("I2", `${name} was asked to end choices of a message that it does not have`);
    endings.push(ended);
    return { kind: "sent", messageId: ended.messageId };
  };

  return {
    ...{ name, takesKeys, pushed, arrived, endings, late },
    push(inbound) {
      pushed.push(inbound);
      const place = chance.happens(faults.trouble()) ? chance.whole(delivered, queue.length) : queue.length;
      queue.splice(place, 0, inbound);
      if (chance.happens(faults.trouble())) queue.push(chance.pick(pushed));
      pushSignal.resolve();
      pushSignal = Promise.withResolvers();
    },
    channelOf: (life) => ({
      kind: name,
      traits: { takesKeys, maxLength: 4000, maxFetchedBytes: 0 },
      answerPress: async () => {},
      async *poll(from, signal) {
        let cursor = from;
        while (!signal.aborted) {
          const nextPush = pushSignal.promise;
          const asked = cursor;
          const batch = await life.cross("channel.poll", async () => {
            await acknowledge(asked);
            return nextBatch();
          });
          if (signal.aborted) return;
          if (batch === undefined) {
            const over = Promise.withResolvers<void>();
            using _listening = life.listen(signal, () => over.resolve());
            await Promise.race([nextPush, over.promise]);
            continue;
          }
          yield batch;
          cursor = batch.cursor;
        }
      },
      receive: async () => [],
      fetchFile: async () => ({ kind: "refused", why: "this platform has no files" }),
      pieces: (text) => text.split("\n").filter((line) => line !== ""),
      async send(outbound, signal) {
        const cut = Promise.withResolvers<SendResult>();
        using _listening = life.listen(signal, () =>
          cut.resolve({ kind: "unknown", error: error("channel.unreachable") }),
        );
        return await Promise.race([life.cross("channel.send", () => receive(life.name, outbound)), cut.promise]);
      },
      async endChoices(ended, signal) {
        const cut = Promise.withResolvers<SendResult>();
        using _listening = life.listen(signal, () =>
          cut.resolve({ kind: "unknown", error: error("channel.unreachable") }),
        );
        return await Promise.race([life.cross("channel.end", () => withTrouble(() => end(ended))), cut.promise]);
      },
      typing: async () => {},
      probe: async () => ({ ok: true, detail: "it is simulated" }),
      setWebhook: async () => {},
    }),
  };
};
