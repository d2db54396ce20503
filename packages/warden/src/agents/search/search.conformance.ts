/** Conformance tests of search engines, against answers as documented by the vendor. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { SearchResult, WebSearch, WebSearchFactory } from "./search.ts";

export interface SearchHarness {
  readonly factory: WebSearchFactory;
  /** Builds the vendor's answer with these results. */
  readonly answer: (results: readonly SearchResult[]) => object;
  /** Checks the request. */
  readonly check: (request: Request, expected: { readonly query: string; readonly key: string }) => void;
}

const KEY = "key-of-the-engine";
const toResult = (index: number): SearchResult => ({
  title: `Page ${index}`,
  url: `https://example.com/${index}`,
  text: `about ${index}`,
});

export const searchConformance = (name: string, { factory, answer, check }: SearchHarness): void => {
  const open = (respond: (request: Request) => Response | Promise<Response>) => {
    const world = createFakeWorld({ hash: () => "" });
    const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const request = new Request(input, init);
      const aborted = new Promise<never>((_, reject) =>
        request.signal.addEventListener("abort", () => reject(new Error(`aborted ${request.url} ${KEY}`))),
      );
      return Promise.race([respond(request), aborted]);
    };
    return { world, engine: factory({ fetch, clock: world.clock, baseUrl: "http://engine.test", key: KEY }) };
  };
  const search = (engine: WebSearch, limit = 5, signal = new AbortController().signal) =>
    engine.search("bike & shed", limit, signal);
  const refusalOf = async (respond: (request: Request) => Response | Promise<Response>): Promise<string> => {
    const error: unknown = await search(open(respond).engine).catch((thrown: unknown) => thrown);
    expect(isHearthError(error, "search.failed")).toBe(true);
    expect(JSON.stringify([String(error), error])).not.toContain(KEY);
    return String(error);
  };

  describe(`${name}: the contract of a search`, () => {
    test("results are in the engine's order, up to the limit", async () => {
      const pages = [toResult(1), toResult(2), toResult(3)];
      const { engine } = open((request) => {
        check(request, { query: "bike & shed", key: KEY });
        return Response.json(answer(pages));
      });
      expect(await search(engine)).toEqual(pages);
      expect(await search(engine, 2)).toEqual(pages.slice(0, 2));
    });

    test("results without a web address are omitted, and markup is removed", async () => {
      const { engine } = open(() =>
        Response.json(
          answer([
            { ...toResult(1), url: "javascript:alert(1)" },
            { ...toResult(2), url: "nonsense" },
            { title: "<b>A</b> &amp;\n B", url: "http://example.com/", text: `${"x".repeat(5000)}` },
          ]),
        ),
      );
      expect(await search(engine)).toEqual([{ title: "A & B", url: "http://example.com/", text: "x".repeat(1000) }]);
    });

    test("no match gives no results", async () => {
      expect(await search(open(() => Response.json(answer([]))).engine)).toEqual([]);
    });

    test.each([
      [401, "rejected the key"],
      [403, "refuses to answer"],
      [429, "received too many requests"],
      [500, "answered 500"],
    ])("a %p gives an error message", async (status, expectedText) => {
      expect(await refusalOf(() => new Response(`no ${KEY}`, { status }))).toContain(expectedText);
    });

    test("an invalid, endless or redirected answer is refused", async () => {
      for (const body of ["<html>", "{}x", "[]", '{"results":1,"web":1}'])
        expect(await refusalOf(() => new Response(body))).toContain("gave an invalid answer");
      const endless = (): Response => new Response("x".repeat(3 * 1024 * 1024));
      expect(await refusalOf(endless)).toContain("gave an invalid answer");
      const broken = (): Promise<Response> => Promise.reject(new Error(`redirected to ${KEY}`));
      expect(await refusalOf(broken)).toContain("did not answer");
    });

    test("an engine that does not answer times out, and an aborted search ends", async () => {
      const { world, engine } = open(() => new Promise(() => {}));
      const pendingSearch = search(engine).catch((error: unknown) => String(error));
      await world.advance(20_000);
      expect(await pendingSearch).toContain("did not answer in 20 s");
      const stopper = new AbortController();
      const stopped = search(engine, 5, stopper.signal).catch((error: unknown) =>
        isHearthError(error, "search.failed"),
      );
      stopper.abort();
      expect(await stopped).toBe(false);
    });
  });
};
