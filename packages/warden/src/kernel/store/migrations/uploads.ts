/**
 * Uploads, their parts, the messages that name them, and what they take of each quota. Files in the
 * results of tools. Captions of attachments.
 */
import type { SchemaStep } from "./step.ts";

export const uploads: SchemaStep = {
  name: "0028-uploads",
  statements: [
    `create table uploads (
      id text not null primary key,
      house text not null,
      owner text not null,
      name text not null,
      size integer not null,
      offset integer not null,
      state text not null,
      hash text,
      final_size integer,
      facts text,
      created_at integer not null,
      changed_at integer not null
    ) strict, without rowid`,
    "create index uploads_unnamed on uploads (changed_at) where state in ('open', 'complete')",
    `create table upload_parts (
      upload text not null,
      start integer not null,
      size integer not null,
      blob text not null,
      house text not null,
      primary key (upload, start)
    ) strict, without rowid`,
    "create index upload_parts_blob on upload_parts (blob)",
    `create table upload_quotas (
      holder text not null primary key,
      bytes integer not null,
      open integer not null
    ) strict, without rowid`,
    `create table attachments (
      room text not null,
      upload text not null,
      event text not null,
      primary key (room, upload, event)
    ) strict, without rowid`,
    "create index attachments_upload on attachments (upload)",
    "create index attachments_event on attachments (event)",
  ],
};

export const stepFiles: SchemaStep = {
  name: "0034-step-files",
  statements: [
    `create table step_files (
      activation text not null,
      step integer not null,
      blob text not null,
      size integer not null,
      primary key (activation, step, blob)
    ) strict, without rowid`,
    "create index step_files_blob on step_files (blob)",
  ],
};

export const captions: SchemaStep = {
  name: "0041-attach",
  statements: ["alter table attachments add column caption text"],
};
