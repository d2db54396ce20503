/** What agents spent on models: a row for each of them, and for all together, and day; and one for each turn that has a limit. */
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
