/** The tables of agents: brains, jobs and compactions. */
import type {
  ActivationId,
  AgentId,
  BrainChangeKind,
  ChangeId,
  CompactionState,
  EventId,
  HouseId,
  JobHookId,
  JobStatus,
  KeptFile,
  Label,
  ProposalId,
  ProposalState,
  RoomId,
  SlotFate,
  Usage,
} from "@hearth/protocol";
import type { ReplyRoute } from "../../outbox/reply-route.ts";
import { flag, integer, json, nullable, table, text } from "./table.ts";

/**
 * The tables of brains: the known state of each file, its versions, the authors of its lines, and
 * pending proposals.
 */
export const brainTables = {
  /** The last known state of files. */
  brain_files: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      /** SHA-256 of the expected content. Null: the file is deleted. */
      hash: nullable(text()),
      size: integer(),
      /** The stamp of the file on disk; "" for none. */
      stamp: text(),
      /**
       * 1: the file on disk has `hash`. 0: the file on disk may still have the previous content.
       */
      settled: flag(),
      /**
       * For a guarded file: the content that a person last approved. Null: that it does not exist.
       */
      approved: nullable(text()),
    },
    key: ["agent", "path"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** The versions of each file, in the order of the brain. */
  brain_versions: table({
    columns: {
      agent: text<AgentId>(),
      /** Increases by one within a brain. */
      place: integer(),
      /** Shared by files that changed together. */
      change: text<ChangeId>(),
      kind: text<BrainChangeKind>(),
      at: integer(),
      /** Null: edited on disk. */
      by: nullable(text<AgentId>()),
      activation: nullable(text<ActivationId>()),
      path: text(),
      before: nullable(text()),
      after: nullable(text()),
      /** 1: a part of it has been erased. */
      erased: flag(),
      note: nullable(text()),
    },
    key: ["agent", "place"],
    indexes: {
      brain_versions_change: { on: ["change"] },
      brain_versions_path: { on: ["agent", "path"] },
      brain_versions_activation: { on: ["activation"], where: { column: "activation", is: "not null" } },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Contents of versions and proposals, by the SHA-256 of their bytes. */
  brain_bodies: table({
    columns: {
      agent: text<AgentId>(),
      hash: text(),
      /** With a base, the difference to it. Null: stored as the blob of this hash. */
      text: nullable(text()),
      /** The content that `text` differs from. Null: `text` is whole. */
      base: nullable(text()),
      /** How many differences lead to a whole content. */
      depth: integer(),
    },
    key: ["agent", "hash"],
    indexes: {
      brain_bodies_blob: { on: ["hash"], where: { column: "text", is: "null" } },
    },
    blob: { column: "hash", ifNull: "text" },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Lines that were not written by the owner. */
  brain_lines: table({
    columns: {
      agent: text<AgentId>(),
      path: text(),
      /** SHA-256 of the trimmed line. */
      line: text(),
      labels: json<Label>(),
      activation: nullable(text<ActivationId>()),
      at: integer(),
    },
    key: ["agent", "path", "line"],
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: "forever",
  }),
  /** Changes of guarded files that need a person's decision. */
  brain_proposals: table({
    columns: {
      id: text<ProposalId>(),
      house: text<HouseId>(),
      agent: text<AgentId>(),
      activation: nullable(text<ActivationId>()),
      path: text(),
      /** The content before and after. Null: the file does not exist. */
      before: nullable(text()),
      after: nullable(text()),
      why: text(),
      /** 1: the agent is blocked until it is decided. */
      halts: flag(),
      labels: json<Label>(),
      state: text<ProposalState>(),
      at: integer(),
      by: nullable(text<AgentId>()),
      reason: nullable(text()),
      decided_at: nullable(integer()),
    },
    key: ["id"],
    indexes: {
      brain_proposals_agent: {
        on: ["agent"],
        fewRows: "A person decides each proposal of an agent, and is asked rarely.",
      },
      brain_proposals_pending: {
        on: ["agent"],
        where: { column: "state", is: "=", value: "pending" },
        fewRows: "Proposals that wait for a person.",
      },
    },
    owner: { by: "house", column: "house" },
    growsWith: "use",
    retention: "forever",
  }),
};

/**
 * The tables of jobs: their state, and the outcomes of their slots. The jobs themselves are in
 * `cron/jobs.toml` of each brain.
 */
export const jobTables = {
  jobs: table({
    columns: {
      agent: text<AgentId>(),
      name: text(),
      /** The person in whose name it runs. */
      owner: text<AgentId>(),
      /** Its settings in the file. */
      terms: json<unknown>(),
      /** Labels of its lines. Null: the owner wrote them. */
      labels: nullable(json<Label>()),
      status: text<JobStatus>(),
      /** The next slot without an outcome, or null. */
      next_at: nullable(integer()),
      /** Failed slots in a row. */
      failures: integer(),
      /** UTC milliseconds before which it does not fire. */
      not_before: integer(),
      /** Increases with each change, for optimistic locking. */
      version: integer(),
      created_at: integer(),
      /** The channel where it was requested. Null: in the house. */
      way: nullable(json<ReplyRoute>()),
    },
    key: ["agent", "name"],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Slots with an outcome. Rows of one job never overlap, except manual ones. */
  job_slots: table({
    columns: {
      agent: text<AgentId>(),
      job: text(),
      /** UTC milliseconds. */
      slot: integer(),
      /** 1: fired by a person or a webhook, outside of the schedule. */
      by_hand: flag(),
      /** The last of consecutive slots with the same outcome, and their number. */
      through: integer(),
      count: integer(),
      fate: text<SlotFate>(),
      reason: text(),
      fired_at: nullable(integer()),
      /** Null: its activation has not ended. */
      ended_at: nullable(integer()),
      activation: nullable(text<ActivationId>()),
      /** The event of the reply. */
      result: nullable(text<EventId>()),
      /** The job's reply route when it fired. */
      way: nullable(json<ReplyRoute>()),
    },
    key: ["agent", "job", "slot", "by_hand"],
    indexes: {
      job_slots_open: {
        on: ["agent", "job"],
        where: { column: "ended_at", is: "null" },
        fewRows: "Slots whose activation has not ended.",
      },
      job_slots_ended: { on: ["ended_at"], where: { column: "ended_at", is: "not null" } },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: {
      setting: "jobDays",
      since: "ended_at",
      keepsLast: { of: ["agent", "job", "by_hand"], by: "slot" },
    },
  }),
  /** Webhooks that a person enabled. Each accepts calls while the job's file enables them too. */
  job_hooks: table({
    columns: {
      /** Part of its URL. */
      id: text<JobHookId>(),
      house: text<HouseId>(),
      agent: text<AgentId>(),
      job: text(),
      /** The name of its key in the vault. */
      secret: text(),
      created_at: integer(),
    },
    key: ["id"],
    unique: [["agent", "job"]],
    owner: { by: "agent", column: "agent" },
    growsWith: "setup",
  }),
  /** Webhook deliveries that fired, to ignore repeated ones. */
  job_deliveries: table({
    columns: {
      hook: text<JobHookId>(),
      /** The sender's id for it: its `webhook-id`. */
      delivery: text(),
      agent: text<AgentId>(),
      /** The slot that it fired. */
      slot: integer(),
      at: integer(),
    },
    key: ["hook", "delivery"],
    indexes: {
      job_deliveries_at: { on: ["at"] },
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
    retention: { setting: "deliveryDays", since: "at" },
  }),
};

/** The table of compactions: stretches of a room that are replaced by summaries for an agent. */
export const compactionTables = {
  compactions: table({
    columns: {
      agent: text<AgentId>(),
      room: text<RoomId>(),
      /** Increases by one per agent and room. */
      place: integer(),
      state: text<CompactionState>(),
      reason: nullable(text()),
      /** For one that a person requested: how many of the last messages stay. */
      keep: nullable(integer()),
      /** Null: it has not begun. */
      activation: nullable(text<ActivationId>()),
      /** The events after this one, through `through`. 0 and 0 until it begins. */
      after: integer(),
      through: integer(),
      /** The room's last offset when they were read. */
      head: integer(),
      messages: integer(),
      tokens: nullable(integer()),
      /** The blob of the summary's text. */
      summary: nullable(text()),
      labels: nullable(json<Label>()),
      files: json<readonly KeptFile[]>(),
      usage: json<Usage>(),
      at: integer(),
      ended_at: nullable(integer()),
    },
    key: ["agent", "room", "place"],
    indexes: {
      compactions_activation: { on: ["activation"], where: { column: "activation", is: "not null" } },
      compactions_summary: { on: ["summary"], where: { column: "summary", is: "not null" } },
    },
    blob: { column: "summary" },
    owner: { by: "room", column: "room" },
    growsWith: "use",
    retention: "forever",
  }),
};
