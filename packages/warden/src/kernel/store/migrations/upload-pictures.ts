/** Pictures that were scaled down: one row for each upload and size. */
import type { SchemaStep } from "./step.ts";

export const uploadPictures: SchemaStep = {
  name: "0051-upload-pictures",
  statements: [
    `create table upload_pictures (
      upload text not null,
      edge integer not null,
      hash text not null,
      blob text not null,
      size integer not null,
      type text not null,
      width integer not null,
      height integer not null,
      house text not null,
      primary key (upload, edge)
    ) strict, without rowid`,
    "create index upload_pictures_hash on upload_pictures (hash)",
    "create index upload_pictures_blob on upload_pictures (blob)",
  ],
};
