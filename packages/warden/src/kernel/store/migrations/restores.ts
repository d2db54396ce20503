/** The database's epoch, and signs that the home was restored or copied. */
import type { SchemaStep } from "./step.ts";

export const restores: SchemaStep = {
  name: "0021-restores",
  statements: [
    `create table epochs (
      epoch text not null primary key,
      at integer not null
    ) strict, without rowid`,
    `create table restore_findings (
      id text not null primary key,
      house text,
      kind text not null,
      detail text not null,
      found_at integer not null,
      decision text,
      by text,
      decided_at integer
    ) strict, without rowid`,
    `create table generations (
      generation text not null primary key
    ) strict, without rowid`,
    // A start reads only the newest of these.
    "create index events_with_blob on events (at) where blob is not null",
  ],
};
