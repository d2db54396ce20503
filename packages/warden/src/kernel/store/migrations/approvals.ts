/** Approvals of agents' calls, and standing rules. */
import type { SchemaStep } from "./step.ts";

export const approvals: SchemaStep = {
  name: "0011-approvals",
  statements: [
    `create table approvals (
      id text not null primary key,
      house text not null,
      agent text not null,
      activation text not null,
      step integer not null,
      room text not null,
      person text,
      kind text not null,
      name text not null,
      input text not null,
      hash text not null,
      asks text not null,
      display text not null,
      offers text not null,
      bound text not null,
      since integer not null,
      code_hash text,
      state text not null,
      scope text,
      by text,
      reason text,
      at integer not null,
      decided_at integer,
      expires_at integer not null
    ) strict, without rowid`,
    "create index approvals_activation on approvals (activation)",
    "create index approvals_pending on approvals (expires_at) where state = 'pending'",
    `create table approval_rules (
      id text not null primary key,
      house text not null,
      agent text not null,
      tool text not null,
      bound text not null,
      text text not null,
      room text,
      since integer,
      approval text not null,
      by text not null,
      at integer not null
    ) strict, without rowid`,
    "create index approval_rules_agent on approval_rules (agent, tool)",
  ],
};
