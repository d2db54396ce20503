import { expect, test } from "bun:test";
import { findSource } from "./sources.ts";

test.each([
  ["https://example.org/a", 0],
  ["https://EXAMPLE.org/a", 0],
  ["https://example.org/b", -1],
  ["https://news.example/x?y=1", 1],
  ["https://other.example", 2],
  ["http://news.example.evil/", -1],
  ["mailto:a@news.example", -1],
  ["not an address", -1],
])("the source of a link to %s has the index %d", (address, index) => {
  expect(findSource(["https://example.org/a", "news.example", "https://other.example"], address)).toBe(index);
});
