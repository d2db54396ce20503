/** Sums of charged model usage. */
import type { SchemaStep } from "./step.ts";

export const usage: SchemaStep = {
  name: "0049-model-usage",
  statements: [
    `create table model_usage (
      day text not null,
      agent text not null,
      model text not null,
      room text not null,
      kind text not null,
      calls integer not null,
      input_tokens integer not null,
      output_tokens integer not null,
      cache_read_tokens integer not null,
      cache_write_tokens integer not null,
      money integer not null,
      estimated_tokens integer not null,
      estimated_money integer not null,
      at integer not null,
      primary key (day, agent, model, room, kind)
    ) strict, without rowid`,
    "create index model_usage_at on model_usage (at)",
  ],
};
