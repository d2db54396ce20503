/** Brains: the known state of their files, versions, the authors of lines, and proposals. */
import type { SchemaStep } from "./step.ts";

export const brains: SchemaStep = {
  name: "0012-brains",
  statements: [
    `create table brain_files (
      agent text not null,
      path text not null,
      hash text,
      size integer not null,
      stamp text not null,
      settled integer not null,
      approved text,
      primary key (agent, path)
    ) strict, without rowid`,
    `create table brain_versions (
      agent text not null,
      place integer not null,
      change text not null,
      kind text not null,
      at integer not null,
      by text,
      activation text,
      path text not null,
      before text,
      after text,
      erased integer not null,
      note text,
      primary key (agent, place)
    ) strict, without rowid`,
    "create index brain_versions_change on brain_versions (change)",
    "create index brain_versions_path on brain_versions (agent, path)",
    "create index brain_versions_activation on brain_versions (activation) where activation is not null",
    `create table brain_bodies (
      agent text not null,
      hash text not null,
      text text,
      primary key (agent, hash)
    ) strict, without rowid`,
    "create index brain_bodies_blob on brain_bodies (hash) where text is null",
    `create table brain_lines (
      agent text not null,
      path text not null,
      line text not null,
      labels text not null,
      activation text,
      at integer not null,
      primary key (agent, path, line)
    ) strict, without rowid`,
    `create table brain_proposals (
      id text not null primary key,
      house text not null,
      agent text not null,
      activation text,
      path text not null,
      before text,
      after text,
      why text not null,
      halts integer not null,
      labels text not null,
      state text not null,
      at integer not null,
      by text,
      reason text,
      decided_at integer
    ) strict, without rowid`,
    "create index brain_proposals_agent on brain_proposals (agent)",
    "create index brain_proposals_pending on brain_proposals (agent) where state = 'pending'",
  ],
};

/** Contents of versions as differences. Earlier ones stay whole. */
export const brainDeltas: SchemaStep = {
  name: "0039-brain-deltas",
  statements: [
    "alter table brain_bodies add column base text",
    "alter table brain_bodies add column depth integer not null default 0",
  ],
};
