/**
 * Indexes for queries on tables that grow. Partial where few rows matter, so that other rows cost
 * nothing.
 */
import type { SchemaStep } from "./step.ts";

export const growthIndexes: SchemaStep = {
  name: "0019-growth-indexes",
  statements: [
    "create index activations_open on activations (agent, room) where ended_at is null",
    "create index activations_ended on activations (ended_at) where ended_at is not null",
    // Finds rows that name a blob.
    "create index activations_frozen_blob on activations (frozen_blob) where frozen_blob is not null",
    "create index steps_output_blob on steps (output_blob) where output_blob is not null",
    "create index events_blob on events (blob) where blob is not null",
    "create index compactions_summary on compactions (summary) where summary is not null",
    "create index approvals_at on approvals (at, id)",
    "create index approvals_allowed on approvals (agent) where state = 'allowed'",
    "create index approvals_code on approvals (code_hash) where code_hash is not null",
    "create index conversations_room on conversations (room)",
    "create index egress_secrets on egress (at) where secrets < '[]'",
    "create index inbound_fate on inbound (channel, fate, at)",
    "create index inbound_accepted on inbound (channel, conversation, at) where fate = 'accepted'",
    "create index inbound_unpaired on inbound (channel, sender, at) where fate = 'unpaired'",
    "create index inbox_listed on inbox (recipient, at, id)",
    "create index logins_expiry on logins (expires_at)",
    "create index outbox_listed on outbox (channel, state, created_at, place)",
    "create index outbox_sending on outbox (id) where state = 'sending'",
    "create index senders_code on senders (code_hash) where code_hash is not null",
  ],
};

export const unfinishedIndex: SchemaStep = {
  name: "0023-unfinished-index",
  statements: [
    "create index activations_unfinished on activations (agent, room, created_at) where state in ('failed', 'stopped')",
  ],
};

/** Finds the oldest rows of tables that are pruned by age. */
export const retention: SchemaStep = {
  name: "0025-retention",
  statements: [
    // Older updates count as received at the migration.
    "alter table inbound add column received_at integer not null default 0",
    "update inbound set received_at = unixepoch() * 1000",
    "create index inbound_received on inbound (received_at)",
    "create index outbox_ended on outbox (ended_at) where ended_at is not null",
    "create index job_slots_ended on job_slots (ended_at) where ended_at is not null",
    "create index job_deliveries_at on job_deliveries (at)",
  ],
};
