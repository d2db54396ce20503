/** Devices of people that get notifications, and their rules. */
import type { SchemaStep } from "./step.ts";

export const push: SchemaStep = {
  name: "0044-push",
  statements: [
    `create table push_devices (
      id text not null primary key,
      agent text not null,
      session text,
      name text not null,
      endpoint text not null,
      p256dh text not null,
      auth text not null,
      created_at integer not null,
      sent_at integer
    ) strict, without rowid`,
    "create index push_devices_agent on push_devices (agent)",
    `create table push_choices (
      agent text not null primary key,
      choices text not null
    ) strict, without rowid`,
  ],
};
