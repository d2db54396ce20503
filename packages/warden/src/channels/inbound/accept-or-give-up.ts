/**
 * Retries an update that fails because of a bug, and gives up after some attempts, so that its
 * channel continues.
 */
import type { Log } from "../../kernel/index.ts";
import { type Clock, isHearthError } from "@hearth/protocol";
import type { InboundUpdate as ChannelInbound } from "../channel.ts";

/** Pause before an update is tried again. */
export const RETRY_MS = 1000;
/**
 * Maximum number of attempts for an update that fails because of a bug. The failure may be
 * transient.
 */
const MAX_ATTEMPTS = 3;

/**
 * Accepts an update. If a bug prevents this, stores the update as failed after `MAX_ATTEMPTS`
 * attempts. Throws every `HearthError`, because the update can be accepted later.
 */
export type AcceptOrGiveUp = (
  channel: string,
  inbound: ChannelInbound,
  options?: { readonly cursor?: string | undefined; readonly signal?: AbortSignal },
) => Promise<void>;

type Handle = (
  channel: string,
  inbound: ChannelInbound,
  cursor: string | undefined,
  signal: AbortSignal | undefined,
) => Promise<unknown>;

export const createAcceptOrGiveUp =
  (options: {
    readonly clock: Pick<Clock, "sleep">;
    readonly log: Log;
    readonly accept: Handle;
    /** Stores that the update could not be accepted. */
    readonly giveUp: Handle;
  }): AcceptOrGiveUp =>
  async (channel, inbound, { cursor, signal } = {}) => {
    for (let attempt = 1; signal?.aborted !== true; attempt += 1) {
      try {
        await options.accept(channel, inbound, cursor, signal);
        return;
      } catch (error) {
        if (isHearthError(error)) throw error;
        options.log.write("error", "could not accept an update of a channel", { channel, error });
      }
      if (attempt === MAX_ATTEMPTS) {
        await options.giveUp(channel, inbound, cursor, signal);
        return;
      }
      await options.clock.sleep(RETRY_MS, signal);
    }
  };
