/** The tables of the kernel: durable streams, byte streams, and restored copies. */
import type {
  AgentId,
  ByteStreamId,
  EventId,
  HouseId,
  Label,
  RestoreDecision,
  RestoreFindingKind,
} from "@hearth/protocol";
import type { SubscriptionConfig } from "../../streams/subscriptions/subscriptions.ts";
import { flag, integer, json, nullable, table, text } from "./table.ts";

/** The tables of durable streams. The store itself writes events and heads. */
export const eventTables = {
  /**
   * Events of durable streams, written only by `append`. JSON in `body`, or, if it is long, in the
   * blob of this hash.
   */
  events: table({
    columns: {
      stream: text(),
      offset: integer(),
      id: text<EventId>(),
      type: text(),
      at: integer(),
      body: nullable(text()),
      blob: nullable(text()),
      /** The label of its text. */
      labels: nullable(json<Label>()),
      /** For sealed streams: written by the store, see `seal.ts`. */
      seal: nullable(text()),
    },
    key: ["stream", "offset"],
    unique: [["stream", "id"]],
    indexes: {
      events_blob: { on: ["blob"], where: { column: "blob", is: "not null" } },
      events_with_blob: { on: ["at"], where: { column: "blob", is: "not null" } },
    },
    blob: { column: "blob" },
    owner: { by: "stream", column: "stream" },
    growsWith: "use",
    retention: "forever",
    hasRowid: true,
  }),
  /** Ranges of audit logs whose rows are in a blob instead of `events`: see `audit/segments.ts`. */
  audit_segments: table({
    columns: {
      house: text<HouseId>(),
      /** The offset before the first row. */
      after: integer(),
      /** The offset of the last row. */
      through: integer(),
      blob: text(),
      /** The size of the blob in bytes. */
      size: integer(),
      /** When it was written. */
      at: integer(),
    },
    key: ["house", "after"],
    indexes: {
      audit_segments_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "forever",
  }),
  /** The offset of each stream's last event. Written only by `append`. */
  heads: table({
    columns: {
      stream: text(),
      head: integer(),
    },
    key: ["stream"],
    owner: { by: "stream", column: "stream" },
    growsWith: "setup",
  }),
  /** The position of each named reader of a stream. */
  readers: table({
    columns: {
      reader: text(),
      stream: text(),
      offset: integer(),
    },
    key: ["reader", "stream"],
    owner: { by: "stream", column: "stream" },
    growsWith: "setup",
  }),
};

/** The tables of byte streams, their producers and subscriptions. */
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
    retention: "area",
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
    retention: "area",
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
    credentials: ["secret"],
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
    credentials: "rows",
  }),
};

/** The tables that distinguish a restored or copied database from the one that clients know. */
export const restoreTables = {
  /** One row: the random id that the database got at its first start. */
  epochs: table({
    columns: {
      epoch: text(),
      at: integer(),
    },
    key: ["epoch"],
    owner: "home",
    growsWith: "setup",
  }),
  /**
   * One row: the start of the house that last wrote this file. It detects a SQLite log of another
   * file.
   */
  generations: table({
    columns: {
      generation: text(),
    },
    key: ["generation"],
    owner: "home",
    growsWith: "setup",
    describesFile: true,
  }),
  /** Signs that the home was restored or copied, one row each, with the owner's decision. */
  restore_findings: table({
    columns: {
      /** Derived from the sign, so that each is one row. */
      id: text(),
      house: nullable(text<HouseId>()),
      kind: text<RestoreFindingKind>(),
      /** For people. */
      detail: text(),
      found_at: integer(),
      /** Null: the house is on hold. */
      decision: nullable(text<RestoreDecision>()),
      by: nullable(text<AgentId>()),
      decided_at: nullable(integer()),
    },
    key: ["id"],
    owner: "home",
    growsWith: "setup",
  }),
};
