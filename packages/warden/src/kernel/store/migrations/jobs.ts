/** Jobs with their state, the outcome of each slot, and external triggers. */
import type { SchemaStep } from "./step.ts";

export const jobs: SchemaStep = {
  name: "0014-jobs",
  statements: [
    `create table jobs (
      agent text not null,
      name text not null,
      owner text not null,
      terms text not null,
      labels text,
      status text not null,
      next_at integer,
      failures integer not null,
      not_before integer not null,
      version integer not null,
      created_at integer not null,
      primary key (agent, name)
    ) strict, without rowid`,
    `create table job_slots (
      agent text not null,
      job text not null,
      slot integer not null,
      by_hand integer not null,
      through integer not null,
      count integer not null,
      fate text not null,
      reason text not null,
      fired_at integer,
      ended_at integer,
      activation text,
      result text,
      primary key (agent, job, slot, by_hand)
    ) strict, without rowid`,
    // Slots in progress, which are few.
    "create index job_slots_open on job_slots (agent, job) where ended_at is null",
  ],
};

/** The channel on which a job was requested, so that its replies go there. */
export const jobWays: SchemaStep = {
  name: "0017-job-ways",
  statements: ["alter table jobs add column way text", "alter table job_slots add column way text"],
};

/** Webhooks of jobs, and their deliveries, each once. */
export const jobHooks: SchemaStep = {
  name: "0016-job-hooks",
  statements: [
    `create table job_hooks (
      id text primary key,
      house text not null,
      agent text not null,
      job text not null,
      secret text not null,
      created_at integer not null,
      unique (agent, job)
    ) strict, without rowid`,
    `create table job_deliveries (
      hook text not null,
      delivery text not null,
      agent text not null,
      slot integer not null,
      at integer not null,
      primary key (hook, delivery)
    ) strict, without rowid`,
  ],
};
