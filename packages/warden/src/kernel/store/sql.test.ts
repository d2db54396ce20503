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

test("a value of a partial index is a literal, and any other value is a parameter", () => {
  expect(selectSql({ table: "inbound", where: { fate: "accepted" } })).toEqual({
    text: `select * from "inbound" where "fate" = 'accepted'`,
    parameters: [],
  });
  expect(selectSql({ table: "inbound", where: { channel: "accepted" } })).toEqual({
    text: 'select * from "inbound" where "channel" = +?',
    parameters: ["accepted"],
  });
});

test.each([
  [["a"], ["a"]],
  [
    ["a", "b"],
    ["a", "b"],
  ],
  [
    ["a", "b", "c"],
    ["a", "b", "c", "c"],
  ],
  [
    ["a", "b", "c", "d", "e"],
    ["a", "b", "c", "d", "e", "e", "e", "e"],
  ],
])("a list of %j has the parameters %j, so that few statements are prepared", (value, parameters) => {
  const sql = selectSql({ table: "inbox", and: [{ column: "room", is: "in", value }] });
  expect(sql.parameters).toEqual(parameters);
});
