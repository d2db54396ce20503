/** Compactions of sessions: replaced stretches with their summaries, and requested ones. */
import type { SchemaStep } from "./step.ts";

export const compactions: SchemaStep = {
  name: "0015-compactions",
  statements: [
    `create table compactions (
      agent text not null,
      room text not null,
      place integer not null,
      state text not null,
      reason text,
      keep integer,
      activation text,
      after integer not null,
      through integer not null,
      head integer not null,
      messages integer not null,
      tokens integer,
      summary text,
      labels text,
      files text not null,
      usage text not null,
      at integer not null,
      ended_at integer,
      primary key (agent, room, place)
    ) strict, without rowid`,
    "create index compactions_activation on compactions (activation) where activation is not null",
  ],
};
