/** The texts of documents: one row for each upload that was converted. */
import type { SchemaStep } from "./step.ts";

export const documents: SchemaStep = {
  name: "0042-documents",
  statements: [
    `create table upload_texts (
      upload text not null primary key,
      hash text not null,
      blob text not null,
      house text not null
    ) strict, without rowid`,
    "create index upload_texts_hash on upload_texts (hash)",
    "create index upload_texts_blob on upload_texts (blob)",
  ],
};
