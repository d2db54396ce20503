/** Reads all channels of the config, which may change during the run. */
import { createLinkedAbort, untilAborted } from "@hearth/protocol";
import { followChannel, type FollowOptions } from "./follow-channel.ts";

interface Follower {
  abort(): void;
  /** Whether the stored cursor belongs to another account and is still to be deleted. */
  hasOldCursor: boolean;
  /** Resolves when the follower has stopped reading. */
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
  const follow = async (name: string, follower: Follower, followSignal: AbortSignal): Promise<void> => {
    const settings = channels.list().find((channel) => channel.name === name);
    if (settings === undefined || follower.hasOldCursor) {
      await forgetCursor(name);
      follower.hasOldCursor = false;
    }
    if (settings !== undefined) await followChannel(options, settings, followSignal);
  };
  const startFollower = (name: string, hasNewToken: boolean): void => {
    const previousFollower = followers.get(name);
    previousFollower?.abort();
    const followAbort = createLinkedAbort(signal);
    const follower: Follower = {
      abort: () => followAbort.abort(),
      hasOldCursor: hasNewToken,
      ended: Promise.resolve(),
    };
    const run = async (): Promise<void> => {
      await previousFollower?.ended;
      if (previousFollower?.hasOldCursor === true) follower.hasOldCursor = true;
      if (!followAbort.signal.aborted) await follow(name, follower, followAbort.signal);
      followAbort[Symbol.dispose]();
    };
    follower.ended = run();
    followers.set(name, follower);
  };

  channels.onChange((changed) => {
    if (!signal.aborted) for (const { name, hasNewToken } of changed) startFollower(name, hasNewToken);
  });
  for (const { name } of channels.list()) startFollower(name, false);
  await untilAborted(signal);
  await Promise.all([...followers.values()].map(({ ended }) => ended));
};
