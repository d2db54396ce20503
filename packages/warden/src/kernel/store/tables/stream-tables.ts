/** The tables of byte streams, their producers and subscriptions. */
import type { AgentId, ByteStreamId, HouseId } from "@hearth/protocol";
import type { SubscriptionConfig } from "../../streams/subscriptions/subscriptions.ts";
import { flag, integer, json, nullable, table, text } from "./table.ts";

export const streamTables = {
  /** Byte streams that agents created. Their content is the events of `bytes:ID`. */
  byte_streams: table({
    columns: {
      id: text<ByteStreamId>(),
      house: text<HouseId>(),
      path: text(),
      /** The agent that created it. */
      owner: text<AgentId>(),
      content_type: text(),
      ttl_seconds: nullable(integer()),
      /** When it expires, as set at its creation. */
      expires_at: nullable(integer()),
      /** When it expires at present: with a time to live, reads and writes extend it. */
      due_at: nullable(integer()),
      /** `open → closed → gone`; a row that is gone stays only for its forks. */
      state: text(),
      /** The greatest `Stream-Seq`. */
      last_seq: nullable(text()),
      /** The source of a fork, and the requested position in it. */
      source: nullable(text<ByteStreamId>()),
      fork_offset: integer(),
      fork_sub: integer(),
      /** The last offset read from the source. Its own events follow. */
      base: integer(),
      /** The number of streams forked from it. */
      forks: integer(),
      created_at: integer(),
    },
    key: ["id"],
    unique: [["house", "path"]],
    indexes: {
      byte_streams_due: { on: ["due_at"], where: { column: "due_at", is: "not null" } },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
  }),
  /** The last append of each idempotent producer. */
  byte_producers: table({
    columns: {
      stream: text<ByteStreamId>(),
      producer: text(),
      epoch: integer(),
      seq: integer(),
    },
    key: ["stream", "producer"],
    owner: { by: "byteStream", column: "stream" },
    growsWith: "use",
  }),
  /** Subscriptions, which are notified when streams of a house grow. */
  subscriptions: table({
    columns: {
      house: text<HouseId>(),
      id: text(),
      owner: text<AgentId>(),
      /** The requested settings. */
      config: json<SubscriptionConfig>(),
      /** Its tokens are derived from this. */
      secret: text(),
      /** Counts its wakes. */
      generation: integer(),
      /** The id of the wake in progress. */
      wake: nullable(text()),
      /** The worker that has claimed it. */
      holder: nullable(text()),
      lease_until: nullable(integer()),
      /** Failed deliveries of this wake. */
      attempts: integer(),
      /** When the next delivery is due. */
      retry_at: nullable(integer()),
      created_at: integer(),
    },
    key: ["house", "id"],
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** The streams of a subscription, and their acknowledged positions. */
  subscription_links: table({
    columns: {
      house: text<HouseId>(),
      subscription: text(),
      path: text(),
      /** The last stream at this path; another one is read from its beginning. */
      stream: nullable(text<ByteStreamId>()),
      /** 1: subscribed by name. */
      is_explicit: flag(),
      /** 1: matches the pattern. */
      is_matched: flag(),
      acked: integer(),
    },
    key: ["house", "subscription", "path"],
    owner: { by: "house", column: "house" },
    growsWith: "setup",
  }),
  /** Ed25519 keys that sign webhooks of the house. */
  signing_keys: table({
    columns: {
      id: text(),
      public: text(),
      secret: text(),
      created_at: integer(),
    },
    key: ["id"],
    owner: "home",
    growsWith: "setup",
  }),
};
