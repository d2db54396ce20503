/** The tables of channels: incoming updates, conversations, senders and outgoing deliveries. */
import type {
  AgentId,
  DeliveryId,
  DeliveryState,
  ErrorBody,
  EventId,
  Pairing,
  RefusalFate,
  RoomId,
  UploadId,
} from "@hearth/protocol";
import { flag, integer, json, nullable, table, text } from "./table.ts";

export const channelTables = {
  /** Incoming updates of channels, once each. */
  inbound: table({
    columns: {
      channel: text(),
      /** The platform's id of the update. */
      external: text(),
      /** The time that the platform reports. */
      at: integer(),
      conversation: text(),
      /** The platform's id of the message that it is or changes. */
      message: text(),
      sender: text(),
      room: nullable(text<RoomId>()),
      /** The event that it became. */
      event: nullable(text<EventId>()),
      fate: text<"accepted" | RefusalFate>(),
      /** The time of receipt by the clock of the house. */
      received_at: integer(),
    },
    key: ["channel", "external"],
    indexes: {
      inbound_event: { on: ["event"], where: { column: "event", is: "not null" } },
      inbound_message: { on: ["channel", "conversation", "message"] },
      inbound_fate: { on: ["channel", "fate", "at"] },
      inbound_accepted: {
        on: ["channel", "conversation", "at"],
        where: { column: "fate", is: "=", value: "accepted" },
      },
      inbound_received: { on: ["received_at"] },
      inbound_unpaired: { on: ["channel", "sender", "at"], where: { column: "fate", is: "=", value: "unpaired" } },
    },
    owner: "home",
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "received_at" },
  }),
  /** The read position of each polled channel. */
  cursors: table({
    columns: {
      channel: text(),
      cursor: text(),
    },
    key: ["channel"],
    owner: "home",
    growsWith: "setup",
  }),
  /** The room of each channel conversation. */
  conversations: table({
    columns: {
      channel: text(),
      conversation: text(),
      kind: text(),
      name: text(),
      room: text<RoomId>(),
      created_at: integer(),
    },
    key: ["channel", "conversation"],
    indexes: {
      conversations_room: { on: ["room"], fewRows: "A room is one conversation, or two after a move." },
    },
    owner: "home",
    growsWith: "use",
    retention: "forever",
  }),
  /** Senders on channels, and the person that each is. */
  senders: table({
    columns: {
      channel: text(),
      external: text(),
      name: text(),
      person: nullable(text<AgentId>()),
      state: text<Pairing["state"]>(),
      /** SHA-256 of the pairing code. */
      code_hash: nullable(text()),
      code_expires_at: nullable(integer()),
      created_at: integer(),
    },
    key: ["channel", "external"],
    indexes: {
      senders_code: { on: ["code_hash"], where: { column: "code_hash", is: "not null" } },
    },
    owner: "home",
    growsWith: "use",
    retention: "forever",
    credentials: ["code_hash"],
  }),
  /** Outgoing deliveries, in the order of their conversation. */
  outbox: table({
    columns: {
      /** Derived from what it delivers, so that planning it twice makes one row. */
      id: text<DeliveryId>(),
      channel: text(),
      conversation: text(),
      /** Increases within a conversation. */
      place: integer(),
      room: nullable(text<RoomId>()),
      /** The event that it delivers. */
      event: nullable(text<EventId>()),
      body: text(),
      /** The platform's id of the message that it answers. */
      reply_to: nullable(text()),
      /** Choices that its reader can press. */
      choices: nullable(json<readonly { readonly label: string; readonly word: string }[]>()),
      /** The earlier row whose choices it replaces by their outcome. */
      ends: nullable(text<DeliveryId>()),
      /** The attachment of the event that it delivers. Null: it delivers `body`. */
      file: nullable(text<UploadId>()),
      /** Whether `body` is sent as audio. */
      spoken: flag(),
      /** `queued → sending → sent | unknown | refused`. */
      state: text<DeliveryState>(),
      attempts: integer(),
      /** UTC milliseconds before which it is not sent. */
      not_before: integer(),
      /** The platform's id of the sent message. */
      external: nullable(text()),
      error: nullable(json<ErrorBody>()),
      created_at: integer(),
      ended_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      outbox_waiting: { on: ["channel", "state", "conversation", "place"] },
      outbox_event: { on: ["event"], where: { column: "event", is: "not null" } },
      outbox_ended: { on: ["ended_at"], where: { column: "ended_at", is: "not null" } },
      outbox_listed: { on: ["channel", "state", "created_at", "place"] },
      outbox_sending: {
        on: ["id"],
        where: { column: "state", is: "=", value: "sending" },
        fewRows: "Deliveries in progress.",
      },
    },
    owner: "home",
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "ended_at" },
  }),
};
