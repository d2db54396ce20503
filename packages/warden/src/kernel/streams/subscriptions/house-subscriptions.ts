/**
 * Subscriptions in the house's store. Growing streams wake them, and so does one timer for all due
 * times.
 */
import { readJson, writeJson } from "../../store/json.ts";
import type { AgentId, HouseId, Level, World } from "@hearth/protocol";
import type { Log } from "../../log/log.ts";
import type { Store } from "../../store/store.ts";
import type { Row } from "../../store/tables/tables.ts";
import type { ByteStreams } from "../bytes/byte-streams.ts";
import type { DurableStreams } from "../streams.ts";
import { createDelivery } from "./delivery.ts";
import { createLinks, isFound, newLink, putLink, toLink } from "./links.ts";
import { matchesPattern } from "./pattern.ts";
import type { Signing } from "./signing.ts";
import {
  MAX_EXPLICIT_LINKS,
  MAX_SUBSCRIPTIONS,
  type SubscribeResult,
  type Subscription,
  type SubscriptionConfig,
  type Subscriptions,
} from "./subscriptions.ts";
import { createWatch } from "./watch.ts";
import { createWaking } from "./waking.ts";

export interface SubscriptionsOptions {
  readonly world: Pick<World, "clock" | "random" | "hash" | "fetch">;
  readonly log: Log;
  readonly store: Store;
  readonly streams: Pick<DurableStreams, "watch">;
  readonly bytes: ByteStreams;
  readonly signing: Signing;
  /** The epoch that is added to every offset sent. Absent if offsets have no epoch. */
  readonly epoch?: string;
  /** The base URL of the house's streams. */
  readonly root: () => string;
  /** Whether an agent still has a level on a house. */
  readonly mayReach: (agent: AgentId, level: Level, house: HouseId) => Promise<boolean>;
}

export const createSubscriptions = (options: SubscriptionsOptions): Subscriptions => {
  const { world, store, bytes } = options;
  const links = createLinks({ store, bytes });

  const toSubscription = async (row: Row<"subscriptions">): Promise<Subscription> => {
    const house = row.house;
    return {
      house,
      id: row.id,
      owner: row.owner,
      config: readJson(row.config),
      links: (await links.rows({ house, id: row.id })).map(toLink),
      createdAt: row.created_at,
      isFailing: row.attempts > 0,
    };
  };

  const waking = createWaking({ ...options, links, toSubscription, deliver: createDelivery(options) });
  const watch = createWatch({ ...options, links, waking });
  waking.onDue(watch.poke);

  const rowOf = async (house: HouseId, id: string): Promise<Row<"subscriptions"> | undefined> =>
    (await store.select({ table: "subscriptions", where: { house, id } }))[0];

  /** Links streams from their current end, so that existing content wakes no subscriber. */
  const newLinkFromEnd = async (
    house: HouseId,
    id: string,
    path: string,
    fields: { is_explicit?: 1; is_matched?: 1 },
  ) => {
    const stream = await bytes.find({ house, path });
    const linkFields = isFound(stream) ? { ...fields, stream: stream.id, acked: stream.tail } : fields;
    return newLink({ house, id }, path, linkFields);
  };

  const putSubscription = async (
    house: HouseId,
    id: string,
    owner: AgentId,
    config: SubscriptionConfig,
  ): Promise<SubscribeResult> => {
    const text = writeJson(config);
    for (;;) {
      const existingRow = await rowOf(house, id);
      if (existingRow !== undefined) {
        return existingRow.config === text
          ? { kind: "known", subscription: await toSubscription(existingRow) }
          : { kind: "differs" };
      }
      const { length } = await store.select({ table: "subscriptions", where: { house }, limit: MAX_SUBSCRIPTIONS });
      if (length >= MAX_SUBSCRIPTIONS) return { kind: "full" };
      const { pattern } = config;
      const matchingStreams =
        pattern === undefined ? [] : (await bytes.list(house)).filter(({ path }) => matchesPattern(pattern, path));
      const paths = new Set([...config.streams, ...matchingStreams.map(({ path }) => path)]);
      const rows = await Promise.all(
        [...paths].map((path) =>
          newLinkFromEnd(house, id, path, {
            ...(config.streams.includes(path) ? { is_explicit: 1 } : {}),
            ...(pattern !== undefined && matchesPattern(pattern, path) ? { is_matched: 1 } : {}),
          }),
        ),
      );
      const row: Row<"subscriptions"> = {
        house,
        id,
        owner,
        config: text,
        secret: world.random(32).toHex(),
        generation: 0,
        wake: null,
        holder: null,
        lease_until: null,
        attempts: 0,
        retry_at: null,
        created_at: world.clock.now(),
      };
      const result = await store.commit({
        writes: [{ kind: "insert", table: "subscriptions", row }, ...rows.map(putLink)],
      });
      if (result.kind === "committed") return { kind: "created", subscription: await toSubscription(row) };
    }
  };

  return {
    put: putSubscription,
    claim: (house, id, worker) => waking.claim({ house, id }, worker),
    report: waking.report,
    run: watch.run,
    async get(house, id) {
      const row = await rowOf(house, id);
      return row === undefined ? undefined : toSubscription(row);
    },
    async remove(house, id) {
      await store.commit({
        writes: [
          { kind: "delete", table: "subscriptions", where: { house, id } },
          { kind: "delete", table: "subscription_links", where: { house, subscription: id } },
        ],
      });
    },
    async link(house, id, paths) {
      const existingLinks = await links.rows({ house, id });
      const explicitLinks = existingLinks.filter((link) => link.is_explicit === 1 && !paths.includes(link.path));
      if (explicitLinks.length + paths.length > MAX_EXPLICIT_LINKS) return "full";
      const rows = await Promise.all(
        paths.map(async (path) => {
          const link = existingLinks.find((existingLink) => existingLink.path === path);
          return link === undefined
            ? newLinkFromEnd(house, id, path, { is_explicit: 1 })
            : { ...link, is_explicit: 1 as const };
        }),
      );
      const { kind } = await store.commit({
        guards: [{ kind: "exists", table: "subscriptions", where: { house, id } }],
        writes: rows.map(putLink),
      });
      return kind === "committed" ? "linked" : "absent";
    },
    async unlink(house, id, path) {
      const where = { house, subscription: id, path };
      const { kind } = await store.commit({
        guards: [{ kind: "exists", table: "subscriptions", where: { house, id } }],
        writes: [
          { kind: "update", table: "subscription_links", where, set: { is_explicit: 0 } },
          { kind: "delete", table: "subscription_links", where: { ...where, is_matched: 0 } },
        ],
      });
      return kind === "committed" ? "unlinked" : "absent";
    },
  };
};
