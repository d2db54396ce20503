/** Secrets in sealed envelopes, their grants, and the proof of the key. */
import type { SchemaStep } from "./step.ts";

export const secrets: SchemaStep = {
  name: "0006-secrets",
  statements: [
    `create table secrets (
      house text not null,
      name text not null,
      version integer not null,
      key text not null,
      wrapped text not null,
      sealed text not null,
      created_at integer not null,
      set_at integer not null,
      primary key (house, name)
    ) strict, without rowid`,
    `create table secret_grants (
      id text not null primary key,
      house text not null,
      secret text not null,
      agent text not null,
      terms text not null,
      by text not null,
      at integer not null
    ) strict, without rowid`,
    "create index secret_grants_agent on secret_grants (agent)",
    "create index secret_grants_secret on secret_grants (house, secret)",
    `create table vault_keys (
      id text not null primary key,
      source text not null,
      about text not null,
      proof text not null,
      revision integer not null,
      created_at integer not null
    ) strict, without rowid`,
  ],
};
