/**
 * Events in the order of their appends. Clustered by stream, each append changed and split pages in
 * the middle of the table, with the bodies of other streams.
 */
import type { SchemaStep } from "./step.ts";

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
    // The page of a room from before is still one sequential read.
    `insert into events (stream, offset, id, type, at, body, blob, labels, seal)
      select stream, offset, id, type, at, body, blob, labels, seal from events_by_stream order by stream, offset`,
    "drop table events_by_stream",
    "create index events_blob on events (blob) where blob is not null",
    "create index events_with_blob on events (at) where blob is not null",
  ],
};
