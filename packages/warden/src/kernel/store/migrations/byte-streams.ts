/** Byte streams that agents create, their producers, and subscriptions. */
import type { SchemaStep } from "./step.ts";

export const byteStreams: SchemaStep = {
  name: "0004-byte-streams",
  statements: [
    `create table byte_streams (
      id text not null primary key,
      house text not null,
      path text not null,
      owner text not null,
      content_type text not null,
      ttl_seconds integer,
      expires_at integer,
      due_at integer,
      state text not null,
      last_seq text,
      source text,
      fork_offset integer not null,
      fork_sub integer not null,
      base integer not null,
      forks integer not null,
      created_at integer not null,
      unique (house, path)
    ) strict, without rowid`,
    "create index byte_streams_due on byte_streams (due_at) where due_at is not null",
    `create table byte_producers (
      stream text not null,
      producer text not null,
      epoch integer not null,
      seq integer not null,
      primary key (stream, producer)
    ) strict, without rowid`,
    `create table subscriptions (
      house text not null,
      id text not null,
      owner text not null,
      config text not null,
      secret text not null,
      generation integer not null,
      wake text,
      holder text,
      lease_until integer,
      attempts integer not null,
      retry_at integer,
      created_at integer not null,
      primary key (house, id)
    ) strict, without rowid`,
    `create table subscription_links (
      house text not null,
      subscription text not null,
      path text not null,
      stream text,
      is_explicit integer not null,
      is_matched integer not null,
      acked integer not null,
      primary key (house, subscription, path)
    ) strict, without rowid`,
    `create table signing_keys (
      id text not null primary key,
      public text not null,
      secret text not null,
      created_at integer not null
    ) strict, without rowid`,
  ],
};
