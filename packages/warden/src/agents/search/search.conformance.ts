/** What every engine promises, played against one that answers as the vendor's documentation says. */
import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { SearchResult, WebSearch, WebSearchFactory } from "./search.ts";

export interface SearchHarness {
  readonly factory: WebSearchFactory;
  /** The vendor's answer with these results. */
  readonly answer: (results: readonly SearchResult[]) => object;
  /** What a request has to say. */
  readonly check: (request: Request, asked: { readonly query: string; readonly key: string }) => void;
}

const KEY = "key-of-the-engine";
const page = (at: number): SearchResult => ({
  title: `Page ${at}`,
  url: `https://example.com/${at}`,
  text: `about ${at}`,
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
  const ask = (engine: WebSearch, limit = 5, signal = new AbortController().signal) =>
    engine.search("bike & shed", limit, signal);
  const refusalOf = async (respond: (request: Request) => Response | Promise<Response>): Promise<string> => {
    const error: unknown = await ask(open(respond).engine).catch((thrown: unknown) => thrown);
    expect(isHearthError(error, "search.failed")).toBe(true);
    expect(JSON.stringify([String(error), error])).not.toContain(KEY);
    return String(error);
  };

  describe(`${name}: the contract of a search`, () => {
    test("results come in the engine's order, at most as many as were asked for", async () => {
      const pages = [page(1), page(2), page(3)];
      const { engine } = open((request) => {
        check(request, { query: "bike & shed", key: KEY });
        return Response.json(answer(pages));
      });
      expect(await ask(engine)).toEqual(pages);
      expect(await ask(engine, 2)).toEqual(pages.slice(0, 2));
    });

    test("what leads to no page is left out, and markup is", async () => {
      const { engine } = open(() =>
        Response.json(
          answer([
            { ...page(1), url: "javascript:alert(1)" },
            { ...page(2), url: "nonsense" },
            { title: "<b>A</b> &amp;\n B", url: "http://example.com/", text: `${"x".repeat(5000)}` },
          ]),
        ),
      );
      expect(await ask(engine)).toEqual([{ title: "A & B", url: "http://example.com/", text: "x".repeat(1000) }]);
    });

    test("nothing found is nothing", async () => {
      expect(await ask(open(() => Response.json(answer([]))).engine)).toEqual([]);
    });

    test.each([
      [401, "does not take the key"],
      [403, "refuses to answer"],
      [429, "was asked too often"],
      [500, "answered 500"],
    ])("a %p is told in words", async (status, words) => {
      expect(await refusalOf(() => new Response(`no ${KEY}`, { status }))).toContain(words);
    });

    test("an answer that is none, that has no end, or that leads elsewhere is refused", async () => {
      for (const body of ["<html>", "{}x", "[]", '{"results":1,"web":1}'])
        expect(await refusalOf(() => new Response(body))).toContain("gave an answer that is none");
      const endless = (): Response => new Response("x".repeat(3 * 1024 * 1024));
      expect(await refusalOf(endless)).toContain("gave an answer that is none");
      const broken = (): Promise<Response> => Promise.reject(new Error(`redirected to ${KEY}`));
      expect(await refusalOf(broken)).toContain("did not answer");
    });

    test("an engine that does not answer is given up, and so is one that nobody waits for", async () => {
      const { world, engine } = open(() => new Promise(() => {}));
      const asking = ask(engine).catch((error: unknown) => String(error));
      await world.advance(20_000);
      expect(await asking).toContain("did not answer in 20 s");
      const stopper = new AbortController();
      const stopped = ask(engine, 5, stopper.signal).catch((error: unknown) => isHearthError(error, "search.failed"));
      stopper.abort();
      expect(await stopped).toBe(false);
    });
  });
};
