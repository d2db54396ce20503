/** Reads all channels of the config, which may change during the run. */
import { createLinkedAbort } from "../../kernel/index.ts";
import { followChannel, type FollowOptions } from "./follow-channel.ts";

interface Follower {
  abort(): void;
  /** Resolves when it has stopped reading. */
  readonly ended: Promise<void>;
}

/**
 * Reads channels until `signal` aborts. Never rejects. If a channel changes, its current request
 * ends first, and the channel is then read from its stored cursor. A removed channel loses its
 * cursor, because its name may later refer to another account.
 */
export const followChannels = async (options: FollowOptions, signal: AbortSignal): Promise<void> => {
  const { log, store, channels } = options;
  const followers = new Map<string, Follower>();

  const follow = async (name: string, own: AbortSignal): Promise<void> => {
    const settings = channels.list().find((one) => one.name === name);
    if (settings !== undefined) return followChannel(options, settings, own);
    try {
      await store.commit({ writes: [{ kind: "delete", table: "cursors", where: { channel: name } }] });
    } catch (error) {
      log.write("warn", "the cursor of a removed channel could not be deleted", { channel: name, error });
    }
  };
  const begin = (name: string): void => {
    const before = followers.get(name);
    before?.abort();
    const own = createLinkedAbort(signal);
    const ended = (before?.ended ?? Promise.resolve())
      .then(() => (own.signal.aborted ? undefined : follow(name, own.signal)))
      .finally(() => own[Symbol.dispose]());
    followers.set(name, { abort: () => own.abort(), ended });
  };

  channels.onChange((names) => {
    if (!signal.aborted) for (const name of names) begin(name);
  });
  for (const { name } of channels.list()) begin(name);
  if (!signal.aborted)
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  await Promise.all([...followers.values()].map(({ ended }) => ended));
};
