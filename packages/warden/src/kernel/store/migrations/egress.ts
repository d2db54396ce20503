/** Network requests of turns. */
import type { SchemaStep } from "./step.ts";

export const egress: SchemaStep = {
  name: "0007-egress",
  statements: [
    `create table egress (
      id text not null primary key,
      agent text not null,
      activation text,
      at integer not null,
      host text not null,
      port integer not null,
      method text,
      path text,
      outcome text not null,
      status integer,
      why text,
      sent_bytes integer not null,
      received_bytes integer not null,
      secrets text not null
    ) strict, without rowid`,
    "create index egress_activation on egress (activation)",
    "create index egress_at on egress (at)",
  ],
};

/** The model usage of a request to the model door. */
export const egressUsage: SchemaStep = {
  name: "0008-egress-usage",
  statements: ["alter table egress add column usage text"],
};
