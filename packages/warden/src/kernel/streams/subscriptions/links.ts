/** The streams of a subscription, with their acknowledged and last offsets. */
import type { HouseId } from "@hearth/protocol";
import type { Store, Write } from "../../store/store.ts";
import type { Row } from "../../store/tables/tables.ts";
import type { ByteStreamInfo, ByteStreams, FindResult } from "../bytes/byte-streams.ts";
import { matchesPattern } from "./pattern.ts";
import type { Link, LinkState } from "./subscriptions.ts";

export type LinkRow = Row<"subscription_links">;

/** Identifies a subscription. */
export interface SubscriptionKey {
  readonly house: HouseId;
  readonly id: string;
}

export interface Links {
  rows(name: SubscriptionKey): Promise<readonly LinkRow[]>;
  row(name: SubscriptionKey, path: string): Promise<LinkRow | undefined>;
  states(name: SubscriptionKey): Promise<readonly LinkState[]>;
  /** Adds links for new streams that match the pattern, from their beginning. */
  discover(name: SubscriptionKey, pattern: string): Promise<void>;
  /**
   * Returns the write that acknowledges a stream up to an offset, or undefined if there is no
   * such stream or offset.
   */
  ack(name: SubscriptionKey, path: string, offset: number): Promise<Write | undefined>;
}

export const createLinks = (options: {
  readonly store: Store;
  readonly bytes: Pick<ByteStreams, "find" | "list">;
}): Links => {
  const { store, bytes } = options;

  const rows: Links["rows"] = ({ house, id }) =>
    store.select({
      table: "subscription_links",
      where: { house, subscription: id },
      order: [{ column: "path" }],
    });

  const row: Links["row"] = async ({ house, id }, path) =>
    (await store.select({ table: "subscription_links", where: { house, subscription: id, path } }))[0];

  return {
    rows,
    row,
    async states(name) {
      const states: LinkState[] = [];
      for (const link of await rows(name)) {
        const stream = await bytes.find({ house: name.house, path: link.path });
        const info = isFound(stream) ? stream : undefined;
        states.push({ ...toLink(link), acked: ackedOf(link, info), tail: info?.tail ?? 0 });
      }
      return states;
    },
    async discover({ house, id }, pattern) {
      const existingPaths = new Set((await rows({ house, id })).map(({ path }) => path));
      const newStreams = (await bytes.list(house)).filter(
        ({ path }) => !existingPaths.has(path) && matchesPattern(pattern, path),
      );
      if (newStreams.length === 0) return;
      await store.commit({
        guards: [{ kind: "exists", table: "subscriptions", where: { house, id } }],
        writes: newStreams.map(({ path }) => putLink(newLink({ house, id }, path, { is_matched: 1 }))),
      });
    },
    async ack(name, path, offset) {
      const link = await row(name, path);
      const stream = await bytes.find({ house: name.house, path });
      if (link === undefined || !isFound(stream) || offset > stream.tail) return undefined;
      return putLink({ ...link, stream: stream.id, acked: Math.max(offset, ackedOf(link, stream)) });
    },
  };
};

export const isFound = (found: FindResult): found is ByteStreamInfo => typeof found === "object";

export const toLink = (row: LinkRow): Link => ({
  path: row.path,
  kind: row.is_explicit === 1 ? "explicit" : "glob",
  acked: row.acked,
});

/**
 * Returns a new link. Existing content counts as unprocessed unless it is passed as acknowledged.
 */
export const newLink = (
  { house, id }: SubscriptionKey,
  path: string,
  fields: Partial<Pick<LinkRow, "is_explicit" | "is_matched" | "stream" | "acked">>,
): LinkRow => ({ house, subscription: id, path, stream: null, is_explicit: 0, is_matched: 0, acked: 0, ...fields });

export const putLink = (row: LinkRow): Write => ({ kind: "put", table: "subscription_links", row });

export const hasPending = ({ acked, tail }: LinkState): boolean => tail > acked;

/**
 * Returns the acknowledged offset. An acknowledgement of a removed stream does not apply to a new
 * stream at its path.
 */
const ackedOf = (link: LinkRow, info: ByteStreamInfo | undefined): number =>
  link.stream === info?.id ? link.acked : 0;
