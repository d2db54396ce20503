/** Records, streams, activations with their journal, keys and logins. */
import type { SchemaStep } from "./step.ts";

export const ground: SchemaStep = {
  name: "0001-ground",
  statements: [
    `create table records (
      id text not null primary key,
      type text not null,
      house text not null,
      handle text not null,
      version integer not null,
      created_at integer not null,
      updated_at integer not null,
      content text not null,
      unique (house, type, handle)
    ) strict`,
    "create index records_type on records (type, handle)",
    // Clustered by stream, so that a page of a room is one sequential read.
    `create table events (
      stream text not null,
      offset integer not null,
      id text not null,
      type text not null,
      at integer not null,
      body text,
      blob text,
      primary key (stream, offset),
      unique (stream, id)
    ) strict, without rowid`,
    `create table heads (
      stream text not null primary key,
      head integer not null
    ) strict, without rowid`,
    `create table readers (
      reader text not null,
      stream text not null,
      offset integer not null,
      primary key (reader, stream)
    ) strict, without rowid`,
    `create table activations (
      id text not null primary key,
      agent text not null,
      room text not null,
      "trigger" text not null,
      cause text not null,
      cause_offset integer not null,
      person text not null,
      state text not null,
      reason text,
      error text,
      model text,
      usage text not null,
      frozen text,
      frozen_blob text,
      created_at integer not null,
      started_at integer,
      ended_at integer
    ) strict`,
    "create index activations_agent on activations (agent, created_at)",
    "create index activations_room on activations (room, created_at)",
    "create index activations_cause on activations (cause)",
    "create index activations_created on activations (created_at)",
    "create index activations_state on activations (state, created_at)",
    `create table steps (
      activation text not null,
      step integer not null,
      kind text not null,
      name text not null,
      input_hash text not null,
      effect text not null,
      state text not null,
      output text,
      output_blob text,
      started_at integer not null,
      ended_at integer,
      primary key (activation, step)
    ) strict, without rowid`,
    `create table keys (
      id text not null primary key,
      name text not null,
      agent text not null,
      hash text not null unique,
      created_at integer not null,
      revoked_at integer
    ) strict, without rowid`,
    `create table logins (
      hash text not null primary key,
      agent text not null,
      created_at integer not null,
      expires_at integer not null
    ) strict, without rowid`,
  ],
};

/**
 * Events in the order of their appends. Clustered by stream, each append changed and split pages in
 * the middle of the table, with the bodies of other streams.
 */
export const eventsInOrder: SchemaStep = {
  name: "0024-events-in-order",
  statements: [
    "drop index events_blob",
    "drop index events_with_blob",
    "alter table events rename to events_by_stream",
    `create table events (
      stream text not null,
      offset integer not null,
      id text not null,
      type text not null,
      at integer not null,
      body text,
      blob text,
      labels text,
      seal text,
      primary key (stream, offset),
      unique (stream, id)
    ) strict`,
    // Rows are copied in the order of their stream, so a page of old events is still one sequential read.
    `insert into events (stream, offset, id, type, at, body, blob, labels, seal)
      select stream, offset, id, type, at, body, blob, labels, seal from events_by_stream order by stream, offset`,
    "drop table events_by_stream",
    "create index events_blob on events (blob) where blob is not null",
    "create index events_with_blob on events (at) where blob is not null",
  ],
};

/**
 * The mark of the last transaction, by which the store finds out whether a commit that failed was
 * applied.
 */
export const commitMarks: SchemaStep = {
  name: "0022-commit-marks",
  statements: [
    "create table commit_marks (id integer not null primary key check (id = 1), writer text not null, number integer not null) strict",
    "insert into commit_marks (id, writer, number) values (1, '', 0)",
  ],
};
