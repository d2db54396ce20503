import { describe, expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { SearchConfig } from "../../kernel/config/text/search-text.ts";
import { createHouseSearch } from "./house-search.ts";

const reference = { kind: "env", name: "KEY" } as const;

/** Returns the network request of a search with this config, or the error. */
const ask = async (config: SearchConfig | undefined, key?: string) => {
  const asked: Request[] = [];
  const { clock } = createFakeWorld({ hash: () => "" });
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    asked.push(new Request(input, init));
    return Response.json({ results: [], web: { results: [] } });
  };
  const search = createHouseSearch({ world: { clock, fetch }, searchConfig: () => config, readKey: async () => key });
  try {
    await search().search("x", 5, new AbortController().signal);
    return { asked };
  } catch (error) {
    return { asked, code: isHearthError(error) ? error.code : String(error) };
  }
};

describe("the house's engine", () => {
  test("uses the configured engine, address and key", async () => {
    const { asked } = await ask({ kind: "brave", apiKey: reference, baseUrl: "http://brave.test" }, "k");
    expect(asked.map(({ url, headers }) => [url, headers.get("x-subscription-token")])).toEqual([
      ["http://brave.test/web/search?q=x&count=5", "k"],
    ]);
    const own = await ask({ kind: "searxng" });
    expect(own.asked.map(({ url }) => url)).toEqual(["http://127.0.0.1:8080/search?q=x&format=json"]);
  });

  test("a missing engine or unreadable key is an error, and no request is sent", async () => {
    expect(await ask(undefined)).toEqual({ asked: [], code: "search.none" });
    expect(await ask({ kind: "brave", apiKey: reference })).toEqual({ asked: [], code: "search.failed" });
  });
});
