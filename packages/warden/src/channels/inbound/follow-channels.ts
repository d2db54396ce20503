/** Reads all channels of the config, which may change during the run. */
import { createLinkedAbort, untilAborted } from "@hearth/protocol";
import { followChannel, type FollowOptions } from "./follow-channel.ts";

interface Follower {
  abort(): void;
  /** Whether the cursor belongs to another account, and was not deleted yet. */
  hasOldCursor: boolean;
  /** Resolves when it has stopped reading. */
  ended: Promise<void>;
}

/**
 * Reads channels until `signal` aborts. Never rejects. If a channel changes, its current request
 * ends first, and the channel is then read from its stored cursor. A removed channel loses its
 * cursor, and so does one with a new token, because the name may now refer to another account.
 */
export const followChannels = async (options: FollowOptions, signal: AbortSignal): Promise<void> => {
  const { log, store, channels } = options;
  const followers = new Map<string, Follower>();

  const forgetCursor = async (name: string): Promise<void> => {
    try {
      await store.commit({ writes: [{ kind: "delete", table: "cursors", where: { channel: name } }] });
    } catch (error) {
      log.write("warn", "the cursor of a changed channel could not be deleted", { channel: name, error });
    }
  };
  const follow = async (name: string, follower: Follower, own: AbortSignal): Promise<void> => {
    const settings = channels.list().find((channel) => channel.name === name);
    if (settings === undefined || follower.hasOldCursor) {
      await forgetCursor(name);
      follower.hasOldCursor = false;
    }
    if (settings !== undefined) await followChannel(options, settings, own);
  };
  const begin = (name: string, hasNewToken: boolean): void => {
    const before = followers.get(name);
    before?.abort();
    const followAbort = createLinkedAbort(signal);
    const follower: Follower = {
      abort: () => followAbort.abort(),
      hasOldCursor: hasNewToken,
      ended: Promise.resolve(),
    };
    const run = async (): Promise<void> => {
      await before?.ended;
      if (before?.hasOldCursor === true) follower.hasOldCursor = true;
      if (!followAbort.signal.aborted) await follow(name, follower, followAbort.signal);
      followAbort[Symbol.dispose]();
    };
    follower.ended = run();
    followers.set(name, follower);
  };

  channels.onChange((changed) => {
    if (!signal.aborted) for (const { name, hasNewToken } of changed) begin(name, hasNewToken);
  });
  for (const { name } of channels.list()) begin(name, false);
  await untilAborted(signal);
  await Promise.all([...followers.values()].map(({ ended }) => ended));
};
