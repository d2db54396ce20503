/** Transcripts of attached audio, and spoken forms of messages. */
import type { SchemaStep } from "./step.ts";

export const transcripts: SchemaStep = {
  name: "0045-transcripts",
  statements: [
    `create table transcripts (
      upload text not null primary key,
      house text not null,
      text text,
      language text,
      segments text,
      source text not null,
      cost integer not null,
      error text,
      edited_by text,
      at integer not null
    ) strict, without rowid`,
    `create table speeches (
      event text not null primary key,
      room text not null,
      hash text not null,
      blob text not null,
      size integer not null,
      type text not null,
      at integer not null
    ) strict, without rowid`,
    "create index speeches_at on speeches (at)",
    "create index speeches_blob on speeches (blob)",
  ],
};
