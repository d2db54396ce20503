/** Grants, logins, invites, the triggers of activations, and inboxes. */
import type { SchemaStep } from "./step.ts";

export const houses: SchemaStep = {
  name: "0003-houses",
  statements: [
    `create table grants (
      agent text not null,
      target text not null,
      house text not null,
      level text not null,
      by text not null,
      at integer not null,
      primary key (agent, target)
    ) strict, without rowid`,
    "create index grants_target on grants (target)",
    // Before this step every person had all rights in every house, and a bot could write in its
    // own.
    `insert into grants (agent, target, house, level, by, at)
      select agents.id, houses.id, houses.id, 'x', agents.id, agents.updated_at
      from records agents join records houses on houses.type = 'house'
      where agents.type = 'agent' and json_extract(agents.content, '$.kind') = 'human'`,
    `insert into grants (agent, target, house, level, by, at)
      select id, house, house, 'w', id, updated_at
      from records where type = 'agent' and json_extract(content, '$.kind') = 'bot'`,
    "alter table keys add column scope text",
    "alter table keys add column expires_at integer",
    "create index keys_agent on keys (agent)",
    // Logged-in people have to log in again: older sessions had no id by which to end them.
    "drop table logins",
    `create table logins (
      hash text not null primary key,
      id text not null unique,
      agent text not null,
      about text not null,
      created_at integer not null,
      expires_at integer not null
    ) strict, without rowid`,
    "create index logins_agent on logins (agent)",
    `create table passwords (
      agent text not null primary key,
      hash text not null,
      at integer not null
    ) strict, without rowid`,
    "alter table activations add column skip text",
    "alter table activations add column ready_at integer not null default 0",
    "alter table activations add column root text",
    "alter table activations add column parent text",
    "alter table activations add column inbox text",
    "update activations set root = cause",
    "create index activations_root on activations (root, room)",
    "create index activations_parent on activations (parent) where parent is not null",
    `create table inbox (
      id text not null primary key,
      sender text not null,
      recipient text not null,
      type text not null,
      status text not null,
      text text not null,
      room text not null,
      activation text not null,
      reply_to text,
      limits text,
      labels text,
      at integer not null,
      read_at integer,
      read_by text
    ) strict, without rowid`,
    "create index inbox_recipient on inbox (recipient, status, at)",
    "create index inbox_reply on inbox (reply_to) where reply_to is not null",
  ],
};

/** When an inbox message was handled, so that it can be erased some time later. */
export const inboxAges: SchemaStep = {
  name: "0005-inbox-ages",
  statements: [
    "alter table inbox add column moved_at integer",
    // The time is unknown for older rows, so it starts with this column, which never erases early.
    "update inbox set moved_at = unixepoch() * 1000 where status <> 'pending'",
    "create index inbox_moved on inbox (moved_at) where moved_at is not null",
  ],
};

export const invites: SchemaStep = {
  name: "0029-invites",
  statements: [
    `create table invites (
      id text not null primary key,
      house text not null,
      hash text not null unique,
      level text not null,
      rooms text,
      note text,
      by text not null,
      created_at integer not null,
      expires_at integer not null,
      used_at integer,
      used_by text,
      revoked_at integer
    ) strict, without rowid`,
    "create index invites_house on invites (house)",
  ],
};

/** Second factors of people, their recovery codes, and how sessions began. */
export const secondFactors: SchemaStep = {
  name: "0031-second-factors",
  statements: [
    `create table second_factors (
      agent text not null primary key,
      id text not null,
      last_step integer not null,
      created_at integer not null
    ) strict, without rowid`,
    `create table recovery_codes (
      agent text not null,
      hash text not null,
      used_at integer,
      primary key (agent, hash)
    ) strict, without rowid`,
    "alter table logins add column method text",
  ],
};

/** Public keys with which people log in. */
export const passkeys: SchemaStep = {
  name: "0040-passkeys",
  statements: [
    `create table passkeys (
      id text not null primary key,
      agent text not null,
      name text not null,
      public_key text not null,
      counter integer not null,
      host text not null,
      created_at integer not null,
      used_at integer
    ) strict, without rowid`,
    "create index passkeys_agent on passkeys (agent)",
  ],
};

/** Accounts at OpenID Connect providers with which people log in. */
export const identities: SchemaStep = {
  name: "0044-identities",
  statements: [
    `create table identities (
      id text not null primary key,
      agent text not null,
      provider text not null,
      issuer text not null,
      subject text not null,
      account text,
      created_at integer not null,
      used_at integer
    ) strict, without rowid`,
    "create index identities_agent on identities (agent)",
  ],
};

/** The name, the last use and the address of browsers. */
export const devices: SchemaStep = {
  name: "0030-devices",
  statements: [
    "alter table logins add column name text",
    "alter table logins add column used_at integer not null default 0",
    "alter table logins add column address text",
    "update logins set used_at = created_at",
  ],
};
