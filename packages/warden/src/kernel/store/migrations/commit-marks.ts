/**
 * The mark of the last transaction, by which the store finds out whether a commit that failed was
 * applied.
 */
import type { SchemaStep } from "./step.ts";

export const commitMarks: SchemaStep = {
  name: "0022-commit-marks",
  statements: [
    "create table commit_marks (id integer not null primary key check (id = 1), writer text not null, number integer not null) strict",
    "insert into commit_marks (id, writer, number) values (1, '', 0)",
  ],
};
