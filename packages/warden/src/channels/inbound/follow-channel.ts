/** Reads one polled channel. It requests the next batch only after the last one is on the disk. */
import type { Log, Store } from "../../kernel/index.ts";
import { type ErrorBody, toErrorBody, type World } from "@hearth/protocol";
import type { Channel, InboundUpdate as ChannelInbound } from "../channel.ts";
import { type AcceptOrGiveUp, RETRY_MS } from "./accept-or-give-up.ts";
import type { Channels, ChannelSettings } from "../house-channels.ts";

export interface FollowOptions {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Store;
  readonly channels: Channels;
  readonly acceptOrGiveUp: AcceptOrGiveUp;
}

const MAX_WAIT_MS = 60_000;
/** Interval of the checks for a missing token. */
const TOKEN_CHECK_INTERVAL_MS = 60_000;

/** Reads the channel until `signal` aborts. Never rejects. */
export const followChannel = async (
  options: FollowOptions,
  { name, mode, webhookUrl }: ChannelSettings,
  signal: AbortSignal,
): Promise<void> => {
  const { log, store, channels, acceptOrGiveUp } = options;
  const { clock } = options.world;

  const reportFailure = (error: ErrorBody): void => {
    if (channels.state(name).error?.code !== error.code)
      log.write("warn", "a channel failed", { channel: name, code: error.code });
    channels.report(name, "in", error);
  };

  /** Retries with growing pauses until it succeeds or the house ends. */
  const retryUntilDone = async <Done>(work: () => Promise<Done>): Promise<Done | undefined> => {
    for (let waitMs = RETRY_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      try {
        return await work();
      } catch (error) {
        reportFailure(toErrorBody(error));
        await clock.sleep(waitMs, signal);
      }
    }
    return undefined;
  };

  const open = async (): Promise<Channel | undefined> => {
    while (!signal.aborted) {
      const channel = await channels.open(name);
      if (channel !== undefined) return channel;
      await clock.sleep(TOKEN_CHECK_INTERVAL_MS, signal);
    }
    return undefined;
  };

  const acceptWithRetries = async (inbound: ChannelInbound, cursor: string | undefined): Promise<void> => {
    while (!signal.aborted) {
      try {
        return await acceptOrGiveUp(name, inbound, { cursor, signal });
      } catch (error) {
        reportFailure(toErrorBody(error));
        await clock.sleep(RETRY_MS, signal);
      }
    }
  };

  const channel = await open();
  if (channel === undefined) return;
  const isConnected = await retryUntilDone(async () => {
    await channel.setWebhook(mode === "webhook" ? webhookUrl : undefined, signal);
    return true;
  });
  if (isConnected === undefined || mode === "webhook") return channels.report(name, "in", undefined);
  const cursorRows = await retryUntilDone(
    async () => await store.select({ table: "cursors", where: { channel: name } }),
  );
  if (cursorRows === undefined) return;
  for await (const { inbound, cursor } of channel.poll(cursorRows[0]?.cursor, signal, reportFailure)) {
    for (const [index, update] of inbound.entries()) {
      await acceptWithRetries(update, index === inbound.length - 1 ? cursor : undefined);
    }
    if (inbound.length === 0) {
      await retryUntilDone(() =>
        store.commit({ writes: [{ kind: "put", table: "cursors", row: { channel: name, cursor } }] }),
      );
    }
    if (signal.aborted) return;
    channels.report(name, "in", undefined);
  }
};
