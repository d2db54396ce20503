/** Descriptions of attached pictures. */
import type { SchemaStep } from "./step.ts";

export const pictureDescriptions: SchemaStep = {
  name: "0053-picture-descriptions",
  statements: [
    `create table picture_descriptions (
      upload text not null primary key,
      house text not null,
      hash text not null,
      text text,
      source text not null,
      cost integer not null,
      error text,
      at integer not null
    ) strict, without rowid`,
    "create index picture_descriptions_hash on picture_descriptions (hash)",
  ],
};
