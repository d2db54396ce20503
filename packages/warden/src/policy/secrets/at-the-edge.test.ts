/** Redaction and leak detection at the exact edges of their patterns. */
import { expect, test } from "bun:test";
import { findLeaks } from "./leaks.ts";
import { createRedactor } from "./redactor.ts";

const encoder = new TextEncoder();

test("a value that ends with the chunk is replaced in that chunk", () => {
  const stream = createRedactor([{ name: "ONE", value: "tok_s3cr3t_value" }]).stream();
  expect(Buffer.from(stream.push(encoder.encode("it is tok_s3cr3t_value"))).toString()).toBe("it is [secret ONE]");
  expect(stream.end()).toHaveLength(0);
});

test("a value that starts like its replacement is replaced", () => {
  const value = "[secret ONE] and its end";
  expect(createRedactor([{ name: "ONE", value }]).text(value)).toBe("[secret ONE]");
});

test("a text that two shapes match is one leak, of the shape that begins first", () => {
  const key = `sk-proj-${"Ab3".repeat(20)}`;
  expect(findLeaks(`Authorization: Bearer ${key}.`)).toEqual([
    { kind: "bearer", start: 15, end: 15 + 7 + key.length + 1 },
  ]);
});

test("two adjacent keys are two leaks", () => {
  const key = "AKIAIOSFODNN7EXAMPLE";
  expect(findLeaks(`${key} ${key}`)).toEqual([
    { kind: "aws_access_key", start: 0, end: 20 },
    { kind: "aws_access_key", start: 21, end: 41 },
  ]);
});
