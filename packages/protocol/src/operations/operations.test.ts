import { expect, test } from "bun:test";
import { allOperations } from "./all.ts";

test("ids are unique, and so are pairs of a method and a path", () => {
  const ids = allOperations.map(({ id }) => id);
  expect(ids.length).toBeGreaterThan(100);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(allOperations.map(({ method, path }) => `${method} ${path}`)).size).toBe(ids.length);
});

test("parameters have exactly the names in the path, and needs name only those", () => {
  for (const { id, path, needs, params = {} } of allOperations) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    expect([id, Object.keys(params).toSorted()]).toEqual([id, names.toSorted()]);
    const [, needed] = /\{(\w+)\}/.exec(needs) ?? [];
    if (needed !== undefined) expect([id, names]).toEqual([id, expect.arrayContaining([needed])]);
  }
});

test("only requests that may have a body declare one, and others take all input from the query", () => {
  for (const { id, method, query, body } of allOperations) {
    const isRead = method === "GET" || method === "DELETE";
    expect([id, body !== undefined && isRead]).toEqual([id, false]);
    expect([id, query !== undefined && body === undefined && !isRead]).toEqual([id, false]);
  }
});
