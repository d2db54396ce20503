/** Which replies people hear, and deliveries that are spoken. */
import type { SchemaStep } from "./step.ts";

export const spokenReplies: SchemaStep = {
  name: "0052-spoken-replies",
  statements: [
    `create table voice_choices (
      agent text not null primary key,
      replies text not null
    ) strict, without rowid`,
    "alter table outbox add column spoken integer not null default 0",
  ],
};
