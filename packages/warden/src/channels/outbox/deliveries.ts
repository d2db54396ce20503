/**
 * Sends the rows of the outbox. Each conversation with waiting rows has one worker, which a signal
 * starts. Nothing is polled.
 */
import { writeJson, createWorkers, type Log, type Store, type OutboxRow, type Worker } from "../../kernel/index.ts";
import { type ErrorBody, untilAborted, type World } from "@hearth/protocol";
import type { Channels } from "../house-channels.ts";
import { attemptDelivery, GIVE_UP_MS, isRepeatable, type PassDelivery } from "./delivery-attempt.ts";
import type { FileSource } from "./file-delivery.ts";
import { sortInRoomOrder } from "./order.ts";
import type { SpeechSource } from "./speech-delivery.ts";

export interface DeliveriesOptions {
  readonly world: Pick<World, "clock" | "random">;
  readonly log: Log;
  readonly store: Store;
  readonly channels: Channels;
  readonly pass: PassDelivery;
  readonly uploads: FileSource;
  readonly speeches: SpeechSource;
}

export interface Deliveries {
  /** Signals that a row may be waiting. */
  poke(): void;
  run(signal: AbortSignal): Promise<void>;
}

/** Maximum number of rows of a conversation that are ordered at a time. */
const BATCH_SIZE = 100;
/** Pause before the disk is tried again. */
const RETRY_MS = 1000;
/** Time that a send may still take when the house ends. A send that is interrupted is `unknown`. */
export const GRACE_PERIOD_MS = 5000;

/** The columns of a row whose sending was interrupted. */
const afterInterruption = (isRepeated: boolean) =>
  isRepeated ? ({ state: "queued" } as const) : ({ state: "unknown", error: writeJson(interruptedError) } as const);

export const createDeliveries = (options: DeliveriesOptions): Deliveries => {
  const { world, log, store, channels } = options;
  const { clock } = world;
  let scanner: (() => void) | undefined;

  /** Returns the next row to send in a conversation. */
  const findNextRow = async (channel: string, conversation: string): Promise<OutboxRow | undefined> => {
    const rows = await store.select({
      table: "outbox",
      where: { channel, conversation, state: "queued" },
      order: [{ column: "place" }, { column: "id" }],
      limit: BATCH_SIZE,
    });
    const events = new Map<string, Set<string>>();
    for (const { room, event } of rows) {
      if (room !== null && event !== null) events.set(room, (events.get(room) ?? new Set()).add(event));
    }
    const offsets = new Map<string, number>();
    for (const [room, names] of events) {
      if (names.size < 2) continue;
      const eventRows = await store.select({
        table: "events",
        where: { stream: `room:${room}` },
        and: [{ column: "id", is: "in", value: [...names] }],
      });
      for (const { id, offset } of eventRows) offsets.set(id, offset);
    }
    return sortInRoomOrder(rows, offsets)[0];
  };

  /** Sends the rows of the conversation until no row is left or the house ends. */
  const drain = async (
    channel: string,
    conversation: string,
    worker: Worker,
    { signal, sends }: { readonly signal: AbortSignal; readonly sends: AbortSignal },
  ): Promise<void> => {
    const writeWithRetries = async (write: () => Promise<unknown>): Promise<void> => {
      for (;;) {
        try {
          await write();
          return;
        } catch (error) {
          log.write("error", "could not store the result of a delivery; will retry", { channel, error });
          // The next start settles rows that stay in `sending`.
          if (signal.aborted) return;
          await clock.sleep(RETRY_MS, signal);
        }
      }
    };
    while (!signal.aborted) {
      try {
        const row = await findNextRow(channel, conversation);
        const openChannel = row === undefined ? undefined : await channels.open(channel);
        if (row === undefined || openChannel === undefined) return;
        const waitMs = row.not_before - clock.now();
        // A wait longer than the limit means that the clock was set back.
        if (waitMs > 0 && waitMs <= GIVE_UP_MS) {
          await worker.pause(waitMs);
          continue;
        }
        const result = await attemptDelivery(options, { row, channel: openChannel, signal: sends, writeWithRetries });
        // The caller that releases the hold pokes the outbox.
        if (result === "held") return;
        if (result?.kind === "sent") channels.report(channel, "out", undefined);
        else if (result?.kind === "later" || result?.kind === "unknown") channels.report(channel, "out", result.error);
      } catch (error) {
        log.write("error", "could not read the outbox of a conversation; will retry", { channel, error });
        await worker.pause(RETRY_MS);
      }
    }
  };

  /** Settles rows that were being sent when the last daemon ended. */
  const settle = async (): Promise<void> => {
    for (const row of await store.select({ table: "outbox", where: { state: "sending" } })) {
      const traits = (await channels.open(row.channel))?.traits ?? { takesKeys: false };
      await store.commit({
        guards: [{ kind: "exists", table: "outbox", where: { id: row.id, state: "sending" } }],
        writes: [
          {
            kind: "update",
            table: "outbox",
            where: { id: row.id },
            set: afterInterruption(isRepeatable(row, traits)),
          },
        ],
      });
    }
  };

  /** Lists every conversation with waiting rows, by index, without reading the rows. */
  const listWaiting = async (channel: string, onFound: (conversation: string) => void): Promise<void> => {
    let lastConversation = "";
    for (;;) {
      const [row] = await store.select({
        table: "outbox",
        where: { channel, state: "queued" },
        and: [{ column: "conversation", is: ">", value: lastConversation }],
        order: [{ column: "conversation" }, { column: "place" }],
        limit: 1,
      });
      if (row === undefined) return;
      lastConversation = row.conversation;
      onFound(lastConversation);
    }
  };

  /** Settles interrupted sends. Nothing may be sent before that. */
  const settleWithRetries = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        return await settle();
      } catch (error) {
        log.write("error", "could not settle interrupted deliveries; will retry", { error });
        await clock.sleep(RETRY_MS, signal);
      }
    }
  };

  return {
    poke: () => scanner?.(),

    async run(signal) {
      const sends = new AbortController();
      const workers = createWorkers({ sleep: clock.sleep, signal });
      let scanning: Promise<void> = Promise.resolve();
      let isScanRequested = false;
      const scanAll = async (): Promise<void> => {
        while (isScanRequested && !signal.aborted) {
          isScanRequested = false;
          try {
            for (const { name } of channels.list()) {
              await listWaiting(name, (conversation) =>
                workers.start(JSON.stringify([name, conversation]), (worker) =>
                  drain(name, conversation, worker, { signal, sends: sends.signal }),
                ),
              );
            }
          } catch (error) {
            log.write("error", "could not read the outbox; will retry", { error });
            isScanRequested = true;
            await clock.sleep(RETRY_MS, signal);
          }
        }
      };
      const scan = (): void => {
        if (isScanRequested) return;
        isScanRequested = true;
        scanning = scanning.then(scanAll);
      };
      await settleWithRetries(signal);
      scanner = scan;
      scan();
      await untilAborted(signal);
      scanner = undefined;
      await scanning;
      const doneController = new AbortController();
      const abort = (): void => sends.abort();
      clock.sleep(GRACE_PERIOD_MS, doneController.signal).then(abort, abort);
      await workers.idle();
      doneController.abort();
    },
  };
};

const interruptedError: ErrorBody = {
  code: "channel.failed",
  message: "Hearth ended while this message was being sent, so it is unknown whether it arrived.",
  hint: "Check the conversation. Then run: hearth channel resend ID, or hearth channel leave ID",
};
