/**
 * Does the work of subscriptions when streams grow and when retries and leases are due. Sleeps
 * otherwise.
 */
import { readJson } from "../../store/json.ts";
import { type ByteStreamId, isHearthError, type World, idOfStream, untilAborted } from "@hearth/protocol";
import type { Log } from "../../log/log.ts";
import type { Store } from "../../store/store.ts";
import type { Row } from "../../store/tables/tables.ts";
import type { ByteStreams } from "../bytes/byte-streams.ts";
import type { DurableStreams } from "../streams.ts";
import { type Links, type SubscriptionKey, newLink, putLink } from "./links.ts";
import { matchesPattern } from "./pattern.ts";
import type { Waking } from "./waking.ts";

/**
 * Maximum number of concurrent deliveries. One slow receiver must not block others, and many must
 * not use all connections.
 */
const MAX_DELIVERIES = 32;
/** Pause after a failure of the store. */
const RETRY_MS = 1_000;
/** Maximum sleep while something is due, because the clock may jump. */
const MAX_SLEEP_MS = 60_000;

export const createWatch = (options: {
  readonly world: Pick<World, "clock">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "watch">;
  readonly bytes: Pick<ByteStreams, "addressOf">;
  readonly links: Links;
  readonly waking: Pick<Waking, "check" | "notify">;
}): { run(signal: AbortSignal): Promise<void>; poke(): void } => {
  const { world, log, store, streams, bytes, links, waking } = options;
  let pause = new AbortController();
  const deliveries = new Map<string, Promise<void>>();

  const startDelivery = (name: SubscriptionKey, signal: AbortSignal): void => {
    const key = JSON.stringify([name.house, name.id]);
    if (deliveries.has(key) || deliveries.size >= MAX_DELIVERIES) return;
    const delivery = waking
      .notify(name, signal)
      .catch((error: unknown) => log.write("warn", "cannot notify a subscription; will try again", { error }))
      .finally(() => {
        deliveries.delete(key);
        pause.abort();
      });
    deliveries.set(key, delivery);
  };

  /** Does the due work, and returns when the next is due. */
  const runDueWork = async (signal: AbortSignal): Promise<number> => {
    const now = world.clock.now();
    let nextDueAt = Infinity;
    const [rowsToNotify, leasedRows] = await Promise.all([
      store.select({ table: "subscriptions", and: [{ column: "retry_at", is: ">", value: -1 }] }),
      store.select({ table: "subscriptions", and: [{ column: "lease_until", is: ">", value: -1 }] }),
    ]);
    for (const row of rowsToNotify) {
      if (row.retry_at !== null && row.retry_at > now) nextDueAt = Math.min(nextDueAt, row.retry_at);
      else startDelivery(toName(row), signal);
    }
    for (const row of leasedRows) {
      if (row.lease_until !== null && row.lease_until > now) nextDueAt = Math.min(nextDueAt, row.lease_until);
      else await waking.check(toName(row));
    }
    return nextDueAt;
  };

  const followClock = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      // The controller is replaced before the check, so that a signal during the check is noticed.
      pause = new AbortController();
      const nextDueAt = await runDueWork(signal);
      const linkedSignal = AbortSignal.any([signal, pause.signal]);
      if (nextDueAt === Infinity) await untilAborted(linkedSignal);
      else await world.clock.sleep(Math.min(nextDueAt - world.clock.now(), MAX_SLEEP_MS), linkedSignal);
    }
  };

  const handleGrowth = async (id: ByteStreamId): Promise<void> => {
    const address = await bytes.addressOf(id);
    if (address === undefined) return;
    for (const row of await store.select({ table: "subscriptions", where: { house: address.house } })) {
      const name = toName(row);
      const { pattern } = readJson(row.config);
      if ((await links.row(name, address.path)) === undefined) {
        if (pattern === undefined || !matchesPattern(pattern, address.path)) continue;
        await store.commit({
          guards: [{ kind: "exists", table: "subscriptions", where: { house: name.house, id: name.id } }],
          writes: [putLink(newLink(name, address.path, { is_matched: 1 }))],
        });
      }
      await waking.check(name);
    }
  };

  /** Checks everything that happened while the daemon was down. */
  const checkAll = async (): Promise<void> => {
    for (const row of await store.select({ table: "subscriptions" })) {
      const { pattern } = readJson(row.config);
      if (pattern !== undefined) await links.discover(toName(row), pattern);
      await waking.check(toName(row));
    }
  };

  const followStreams = async (signal: AbortSignal): Promise<void> => {
    const stop = new AbortController();
    const growth = streams.watch(["bytes"], AbortSignal.any([signal, stop.signal]));
    try {
      await checkAll();
      for await (const names of growth) {
        for (const name of names) await handleGrowth(idOfStream(name));
      }
    } finally {
      stop.abort();
    }
  };

  /**
   * Retries without an end, because a temporary failure of the disk must not stop subscriptions.
   */
  const retryForever = async (work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      try {
        await work(signal);
      } catch (error) {
        if (isHearthError(error, "house.closing")) return;
        log.write("warn", "cannot update subscriptions; will try again", { error });
        await world.clock.sleep(RETRY_MS, signal);
      }
    }
  };

  return {
    poke: () => pause.abort(),
    async run(signal) {
      await Promise.all([retryForever(followClock, signal), retryForever(followStreams, signal)]);
      await Promise.all(deliveries.values());
    },
  };
};

const toName = (row: Row<"subscriptions">): SubscriptionKey => ({ house: row.house, id: row.id });
