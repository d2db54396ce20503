/** Lists of models: the request for one, and invalid answers. */
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { collectModels, settle } from "../provider.conformance.ts";
import type { ProviderFactory } from "../provider.ts";
import type { WireReply } from "./wire-fake.ts";
import { bytes, hash, KEY, listOf, neverAborted, openWire, type VendorWire } from "./wire-harness.conformance.ts";

const LIMIT_MS = 5_000;

export const modelClauses = (name: string, factory: ProviderFactory, vendor: VendorWire): void => {
  const modelsOf = async (reply: WireReply) => {
    const { provider } = await openWire(factory, [reply]);
    return collectModels(provider.models(neverAborted));
  };
  const json = { "content-type": "application/json" };
  const saying = (body: string, status = 200, headers: Record<string, string> = json): WireReply => ({
    status,
    headers,
    chunks: [bytes(body)],
  });

  describe(`${name}: lists of models`, () => {
    test("are requested at the same URL, with the key, and without data about this machine", async () => {
      const { provider, wire } = await openWire(factory, [listOf([])]);
      await provider.models(neverAborted);
      const [sentRequest] = wire.requests;
      expect(sentRequest?.url).toMatch(/^https:\/\/api\.[a-z]+\.com\/v1\/models(\?limit=1000)?$/);
      expect(sentRequest?.body).toBe("");
      expect(sentRequest?.headers.get("authorization")).toBe(`Bearer ${KEY}`);
      const usualHeaders = ["accept", "anthropic-version", "authorization", "content-type", "user-agent"];
      expect([...(sentRequest?.headers.keys() ?? [])].filter((header) => !usualHeaders.includes(header))).toEqual([]);
    });

    test("are read in each of the shapes that servers use", async () => {
      expect(await modelsOf(saying('{"data":[{"id":"a"},{"id":"b"}]}'))).toEqual(["a", "b"]);
      expect(await modelsOf(saying('[{"id":"a"},{"id":"b"}]'))).toEqual(["a", "b"]);
      expect(await modelsOf(saying('{"object":"list","data":null}'))).toEqual([]);
    });

    test("keep valid names and leave out the rest", async () => {
      expect(await modelsOf(listOf([{ id: "a" }, { id: 7 }, null, "b", { name: "c" }, ["d"], { id: "e" }]))).toEqual([
        "a",
        "e",
      ]);
    });

    test.each([
      ["a web page", saying("<html>Please log in</html>", 200, { "content-type": "text/html" }), "provider.malformed"],
      ["something else", saying('{"models":"many"}'), "provider.malformed"],
      ["half of a list", saying('{"data":[{"id":"a"}'), "provider.malformed"],
      ["an empty response", { chunks: [] }, "provider.malformed"],
      ["a redirect", saying("", 307, { location: "https://elsewhere.example/" }), "provider.malformed"],
      ["an error with a good status", saying(vendor.complaint("auth", "wrong").body), "provider.auth"],
      ["a connection that breaks", { chunks: [bytes('{"data":[')], then: "break" }, "provider.unreachable"],
      ["a failing network", { network: new TypeError("fetch failed") }, "provider.unreachable"],
    ] satisfies [string, WireReply, string][])("%s instead is an error", async (_what, reply, code) => {
      expect(await modelsOf(reply)).toMatchObject({ code });
    });

    test("that do not exist lead to a hint to enter the model's name", async () => {
      expect(await modelsOf(saying('{"error":"no such path"}', 404))).toEqual({
        code: "provider.refused",
        words: expect.stringMatching(/\(404\).*enter the model's name.*base_url/),
      });
    });

    test("without an end are an error and do not fill the memory", async () => {
      const chunk = bytes("x".repeat(1024 * 1024));
      const openedWire = await openWire(factory, [
        { headers: json, chunks: [bytes('{"data":['), ...Array.from({ length: 20 }, () => chunk)], then: "hang" },
      ]);
      const { provider } = openedWire;
      expect(await collectModels(provider.models(neverAborted))).toMatchObject({ code: "provider.malformed" });
      expect(openedWire.openConnections()).toBe(0);
    });

    test("that stop arriving are given up in time, and the connection closed", async () => {
      const openedWire = await openWire(factory, [{ headers: json, chunks: [bytes('{"data":[')], then: "hang" }]);
      const collecting = collectModels(openedWire.provider.models(neverAborted));
      await settle();
      await openedWire.world.advance(LIMIT_MS);
      expect(await collecting).toEqual({ code: "provider.timeout", words: expect.stringContaining("within 5 s") });
      await settle();
      expect(openedWire.openConnections()).toBe(0);
    });

    test("of a server that accepts the call and never answers are given up in time", async () => {
      const world = createFakeWorld({ hash });
      const fetch = (_input: unknown, init?: RequestInit): Promise<Response> =>
        new Promise((_resolve, reject) =>
          init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
        );
      const provider = await factory({ fetch, clock: world.clock, apiKey: KEY });
      const collecting = collectModels(provider.models(neverAborted));
      await settle();
      await world.advance(LIMIT_MS);
      expect(await collecting).toMatchObject({ code: "provider.timeout" });
    });

    test("never show a part of the key", async () => {
      for (const echo of [`wrong key ${KEY}`, "wrong key sk-ab****4711"]) {
        const { status, body } = vendor.complaint("auth", echo);
        const result = await modelsOf(saying(body, status));
        expect(result).toEqual({ code: "provider.auth", words: expect.stringContaining("Check that the key") });
        expect(JSON.stringify(result)).not.toContain("4711");
      }
    });
  });
};
