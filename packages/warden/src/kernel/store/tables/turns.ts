/** The tables of activations and their journal, of leases and holds, and of messages between agents. */
import type {
  ActivationId,
  ActivationState,
  AgentId,
  ErrorBody,
  EventId,
  HoldScope,
  InboxId,
  InboxStatus,
  InboxType,
  Label,
  RoomId,
  SkipReason,
  Trigger,
  Usage,
} from "@hearth/protocol";
import type { EffectClass } from "@hearth/protocol/tools";
import { integer, json, nullable, table, text } from "./table.ts";

export const turnTables = {
  activations: table({
    columns: {
      id: text<ActivationId>(),
      agent: text<AgentId>(),
      room: text<RoomId>(),
      trigger: text<Trigger>(),
      cause: text<EventId>(),
      /** The offset of `cause` in the room. */
      cause_offset: integer(),
      person: text<AgentId>(),
      state: text<ActivationState>(),
      reason: nullable(text()),
      error: nullable(json<ErrorBody>()),
      model: nullable(text()),
      usage: json<Usage>(),
      /** The frozen input, as JSON or the hash of a blob. */
      frozen: nullable(text()),
      frozen_blob: nullable(text()),
      created_at: integer(),
      started_at: nullable(integer()),
      ended_at: nullable(integer()),
      /** The lease number of its last start. */
      fence: integer(),
      /** Daemon crashes during it since its journal last gained a step. */
      crashes: integer(),
      /** Finished steps in its journal at its last start. */
      progress: integer(),
      /** Retries since its journal last gained a step. */
      retries: integer(),
      /** UTC milliseconds of the next retry. 0: no retry is due. */
      retry_at: integer(),
      /** The activation that a person started to replace it after it failed. */
      retried_by: nullable(text<ActivationId>()),
      /** The number of bot activations that led to it. */
      depth: integer(),
      /** The activation that took in its message and answers it too. */
      merged_into: nullable(text<ActivationId>()),
      /** The reason why it waits. */
      parked: nullable(json<unknown>()),
      /** Why it was skipped before any model call. */
      skip: nullable(text<SkipReason>()),
      /** For ambient ones: UTC milliseconds before which they are not considered. 0: no wait. */
      ready_at: integer(),
      /**
       * The person's message at the start of the chain, otherwise `cause`. Null in old rows.
       */
      root: nullable(text<EventId>()),
      /** The activation that requested or delegated it. */
      parent: nullable(text<ActivationId>()),
      /** The inbox message with its request. */
      inbox: nullable(text<InboxId>()),
    },
    key: ["id"],
    indexes: {
      activations_agent: { on: ["agent", "created_at"] },
      activations_room: { on: ["room", "created_at"] },
      activations_cause: { on: ["cause"] },
      activations_created: { on: ["created_at"] },
      activations_state: { on: ["state", "created_at"] },
      activations_merged: { on: ["merged_into"], where: { column: "merged_into", is: "not null" } },
      activations_root: { on: ["root", "room"] },
      activations_parent: { on: ["parent"], where: { column: "parent", is: "not null" } },
      activations_open: {
        on: ["agent", "room"],
        where: { column: "ended_at", is: "null" },
        fewRows: "Activations that have not ended.",
      },
      activations_unfinished: {
        on: ["agent", "room", "created_at"],
        where: { column: "state", is: "in", values: ["failed", "stopped"] },
      },
      activations_ended: { on: ["ended_at"], where: { column: "ended_at", is: "not null" } },
      activations_frozen_blob: { on: ["frozen_blob"], where: { column: "frozen_blob", is: "not null" } },
    },
    blob: { column: "frozen_blob" },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: "turn",
    hasRowid: true,
  }),
  /** The journal: one row per call across a boundary. */
  steps: table({
    columns: {
      activation: text<ActivationId>(),
      step: integer(),
      kind: text<"model" | "tool" | "intake">(),
      name: text(),
      input_hash: text(),
      effect: text<EffectClass>(),
      state: text<"started" | "done" | "unknown">(),
      output: nullable(text()),
      output_blob: nullable(text()),
      started_at: integer(),
      ended_at: nullable(integer()),
      labels: nullable(json<Label>()),
      /** The stage of the choke point that refused it. */
      refused_by: nullable(text()),
    },
    key: ["activation", "step"],
    indexes: {
      steps_output_blob: { on: ["output_blob"], where: { column: "output_blob", is: "not null" } },
    },
    blob: { column: "output_blob" },
    owner: { by: "activation", column: "activation" },
    growsWith: "use",
    retention: "turn",
  }),
  /** The blobs of files in the results of tools. */
  step_files: table({
    columns: {
      activation: text<ActivationId>(),
      step: integer(),
      blob: text(),
      /** In bytes. */
      size: integer(),
    },
    key: ["activation", "step", "blob"],
    indexes: {
      step_files_blob: { on: ["blob"] },
    },
    blob: { column: "blob" },
    owner: { by: "activation", column: "activation" },
    growsWith: "use",
    retention: "turn",
  }),
  /** Labels of files that agents wrote. */
  files: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      labels: json<Label>(),
      activation: nullable(text<ActivationId>()),
      at: integer(),
    },
    key: ["agent", "path"],
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Leases. The number increases with each holder; a write under an older one is refused. */
  leases: table({
    columns: {
      name: text(),
      holder: text(),
      fence: integer(),
      expires_at: integer(),
    },
    key: ["name"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Holds: `house`, or an agent's id. */
  holds: table({
    columns: {
      scope: text<HoldScope>(),
      by: text<AgentId>(),
      at: integer(),
    },
    key: ["scope"],
    owner: "home",
    growsWith: "setup",
  }),
  /** Messages between agents. */
  inbox: table({
    columns: {
      id: text<InboxId>(),
      sender: text<AgentId>(),
      recipient: text<AgentId>(),
      type: text<InboxType>(),
      status: text<InboxStatus>(),
      text: text(),
      room: text<RoomId>(),
      /** The activation that wrote it. */
      activation: text<ActivationId>(),
      reply_to: nullable(text<InboxId>()),
      /** Limits of a delegation. */
      limits: nullable(json<unknown>()),
      labels: nullable(json<Label>()),
      at: integer(),
      read_at: nullable(integer()),
      read_by: nullable(text<ActivationId>()),
      /** When its status last changed; null while it is pending. */
      moved_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      inbox_recipient: { on: ["recipient", "status", "at"] },
      inbox_reply: { on: ["reply_to"], where: { column: "reply_to", is: "not null" } },
      inbox_moved: { on: ["moved_at"], where: { column: "moved_at", is: "not null" } },
      inbox_listed: { on: ["recipient", "at", "id"] },
    },
    owner: { by: "agent", column: "recipient" },
    growsWith: "use",
    retention: "area",
  }),
};
