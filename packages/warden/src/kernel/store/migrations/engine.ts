/** Leases, holds, and the tables of channels. */
import type { SchemaStep } from "./step.ts";

export const engine: SchemaStep = {
  name: "0002-engine",
  statements: [
    // Labels of values as JSON; null if unknown.
    "alter table events add column labels text",
    "alter table steps add column labels text",
    `create table files (
      agent text not null,
      path text not null,
      labels text not null,
      activation text,
      at integer not null,
      primary key (agent, path)
    ) strict, without rowid`,
    "alter table activations add column fence integer not null default 0",
    "alter table activations add column crashes integer not null default 0",
    "alter table activations add column depth integer not null default 0",
    "alter table activations add column merged_into text",
    "alter table activations add column parked text",
    "create index activations_merged on activations (merged_into) where merged_into is not null",
    `create table leases (
      name text not null primary key,
      holder text not null,
      fence integer not null,
      expires_at integer not null
    ) strict, without rowid`,
    `create table holds (
      scope text not null primary key,
      by text not null,
      at integer not null
    ) strict, without rowid`,
    `create table inbound (
      channel text not null,
      external text not null,
      at integer not null,
      conversation text not null,
      message text not null,
      sender text not null,
      room text,
      event text,
      fate text not null,
      primary key (channel, external)
    ) strict, without rowid`,
    "create index inbound_event on inbound (event) where event is not null",
    "create index inbound_message on inbound (channel, conversation, message)",
    `create table cursors (
      channel text not null primary key,
      cursor text not null
    ) strict, without rowid`,
    `create table conversations (
      channel text not null,
      conversation text not null,
      kind text not null,
      name text not null,
      room text not null,
      created_at integer not null,
      primary key (channel, conversation)
    ) strict, without rowid`,
    `create table senders (
      channel text not null,
      external text not null,
      name text not null,
      person text,
      state text not null,
      code_hash text,
      code_expires_at integer,
      created_at integer not null,
      primary key (channel, external)
    ) strict, without rowid`,
    `create table outbox (
      id text not null primary key,
      channel text not null,
      conversation text not null,
      place integer not null,
      room text,
      event text,
      body text not null,
      reply_to text,
      state text not null,
      attempts integer not null,
      not_before integer not null,
      external text,
      error text,
      created_at integer not null,
      ended_at integer
    ) strict, without rowid`,
    "create index outbox_waiting on outbox (channel, state, conversation, place)",
    "create index outbox_event on outbox (event) where event is not null",
  ],
};

/** Choices that the reader of a message can press. */
export const outboxChoices: SchemaStep = {
  name: "0013-outbox-choices",
  statements: ["alter table outbox add column choices text"],
};

/** The earlier row whose choices this one ends. */
export const outboxEnds: SchemaStep = {
  name: "0018-outbox-ends",
  statements: ["alter table outbox add column ends text"],
};

/** Deliveries of files. */
export const outboxFiles: SchemaStep = {
  name: "0047-outbox-files",
  statements: ["alter table outbox add column file text"],
};

/**
 * Retries of activations: automatic ones after transient failures, and those that a person starts.
 */
export const retries: SchemaStep = {
  name: "0020-activation-retries",
  statements: [
    "alter table activations add column progress integer not null default 0",
    "alter table activations add column retries integer not null default 0",
    "alter table activations add column retry_at integer not null default 0",
    "alter table activations add column retried_by text",
  ],
};

/**
 * What agents spent on models: a row per agent and day, per house and day, and per turn with a
 * limit.
 */
export const spend: SchemaStep = {
  name: "0010-spend",
  statements: [
    `create table spend (
      period text not null,
      scope text not null,
      tokens integer not null,
      money integer not null,
      primary key (period, scope)
    ) strict, without rowid`,
  ],
};
