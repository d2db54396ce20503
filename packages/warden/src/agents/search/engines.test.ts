import { expect, test } from "bun:test";
import { createBraveSearch } from "./brave.ts";
import { createFakeSearch } from "./fake.ts";
import { searchConformance } from "./search.conformance.ts";
import { createSearxngSearch } from "./searxng.ts";

searchConformance("brave", {
  factory: createBraveSearch,
  answer: (results) => ({
    type: "search",
    web: { type: "search", results: results.map(({ title, url, text }) => ({ title, url, description: text })) },
  }),
  check({ url, headers }, { query, key }) {
    const { pathname, searchParams } = new URL(url);
    expect([pathname, searchParams.get("q")]).toEqual(["/web/search", query]);
    expect(headers.get("x-subscription-token")).toBe(key);
    expect(url).not.toContain(key);
  },
});

searchConformance("searxng", {
  factory: createSearxngSearch,
  answer: (results) => ({
    query: "x",
    results: results.map(({ title, url, text }) => ({ title, url, content: text, engine: "some" })),
  }),
  check({ url, headers }, { query, key }) {
    const { pathname, searchParams } = new URL(url);
    expect([pathname, searchParams.get("q"), searchParams.get("format")]).toEqual(["/search", query, "json"]);
    expect(headers.get("authorization")).toBe(`Bearer ${key}`);
    expect(url).not.toContain(key);
  },
});

test("an answer of Brave without pages, and one of SearXNG without a quote, are valid", async () => {
  const world = { clock: { sleep: () => new Promise<void>(() => {}) } } as never as { clock: never };
  const { signal } = new AbortController();
  const brave = createBraveSearch({ ...world, fetch: async () => Response.json({ type: "search" }), key: "k" });
  expect(await brave.search("x", 5, signal)).toEqual([]);
  const result = { title: "T", url: "https://example.com/", content: null };
  const searxng = createSearxngSearch({ ...world, fetch: async () => Response.json({ results: [result] }) });
  expect(await searxng.search("x", 5, signal)).toEqual([{ title: "T", url: "https://example.com/", text: "" }]);
});

test("the fake finds pages that contain every word", async () => {
  const { signal } = new AbortController();
  const pages = [
    { title: "Bike", url: "https://example.com/1", text: "in the shed" },
    { title: "Shed", url: "https://example.com/2", text: "red" },
  ];
  expect(await createFakeSearch(pages).search("shed BIKE", 5, signal)).toEqual(pages.slice(0, 1));
  expect(await createFakeSearch(pages).search("shed", 1, signal)).toEqual(pages.slice(0, 1));
});
