/**
 * What agents spent on models: a row per agent and day, per house and day, and per turn with a
 * limit.
 */
import type { SchemaStep } from "./step.ts";

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
