/**
 * The tables of jobs: their state, and the outcomes of their slots. The jobs themselves are in
 * `cron/jobs.toml` of each brain.
 */
import type { ActivationId, AgentId, EventId, HouseId, JobHookId, JobStatus, Label, SlotFate } from "@hearth/protocol";
import type { ReplyRoute } from "../../outbox/reply-route.ts";
import { flag, integer, json, nullable, table, text } from "./table.ts";

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
    },
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
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
    owner: { by: "agent", column: "agent" },
    growsWith: "use",
  }),
};
