/** The tables of durable streams. The store itself writes events and heads. */
import type { EventId, Label } from "@hearth/protocol";
import { integer, json, nullable, table, text } from "./table.ts";

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
