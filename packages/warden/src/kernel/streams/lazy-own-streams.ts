/**
 * Loads byte streams and subscriptions when they are used or exist. Most houses have none, and a
 * start does not wait for them.
 */
import { lazy, untilAborted } from "@hearth/protocol";
import type { Store } from "../store/store.ts";
import type { OwnStreams } from "./own-streams.ts";

export interface LazyOwnStreams {
  get(): Promise<OwnStreams>;
  /** Maintains existing and new streams until `signal` aborts. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

export const createLazyOwnStreams = (options: {
  readonly store: Pick<Store, "select">;
  readonly load: () => Promise<OwnStreams>;
}): LazyOwnStreams => {
  const startSignal = Promise.withResolvers<AbortSignal>();
  let running: Promise<void> = Promise.resolve();

  let loading: Promise<unknown> = Promise.resolve();
  const loadStreams = lazy(async (): Promise<OwnStreams> => {
    const ownStreams = await options.load();
    running = startSignal.promise.then((signal) => ownStreams.run(signal));
    return ownStreams;
  });
  const get = (): Promise<OwnStreams> => {
    const opening = loadStreams();
    loading = opening.catch(() => {});
    return opening;
  };

  /** Whether an earlier daemon left streams or subscriptions. True if the store cannot be read. */
  const hasStreams = async (): Promise<boolean> => {
    try {
      const streams = await options.store.select({ table: "byte_streams", limit: 1 });
      return streams.length > 0 || (await options.store.select({ table: "subscriptions", limit: 1 })).length > 0;
    } catch {
      return true;
    }
  };

  return {
    get,
    async run(signal) {
      startSignal.resolve(signal);
      if (await hasStreams()) await get().catch(() => {});
      await untilAborted(signal);
      await loading;
      await running;
    },
  };
};
