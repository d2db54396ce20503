import { expect, test } from "bun:test";
import { selectSql } from "./sql.ts";

test("every value of a query has a sign, because SQLite would replan an ordered or limited query at each call", () => {
  const { text, parameters } = selectSql({
    ...{ table: "inbox", where: { recipient: "ana", reply_to: null }, limit: 9, order: [{ column: "at" }] },
    and: [
      { column: "at", is: ">", value: 5 },
      { column: "type", is: "in", value: ["note", "answer"] },
    ],
  });
  expect(parameters).toEqual(["ana", 5, "note", "answer", 9]);
  expect(text.match(/\+\?/gu)).toHaveLength(5);
  expect(text).not.toMatch(/[^+]\?/u);
});
