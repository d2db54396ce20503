/** Servers of another kind, network failures, and refusals with readable messages. */
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { type Answer, ask, codeOf, collect } from "../provider.conformance.ts";
import type { ProviderFactory } from "../provider.ts";
import { createFakeWire, type WireReply } from "./wire-fake.ts";
import { answerOf, bytes, hash, KEY, neverAborted, type VendorWire } from "./wire-harness.conformance.ts";

export const serverClauses = (name: string, factory: ProviderFactory, vendor: VendorWire): void => {
  const answer = (reply: WireReply): Promise<Answer> => answerOf(factory, reply);

  describe(`${name}: servers of another kind`, () => {
    const replying = (body: string, headers: Record<string, string>, status = 200): Promise<Answer> =>
      answer({ status, headers, chunks: body === "" ? [] : [bytes(body)] });
    const html = { "content-type": "text/html" };
    const json = { "content-type": "application/json" };
    const sse = { "content-type": "text/event-stream" };

    test.each([
      ["a web page", () => replying("<html><body>Please log in</body></html>", html), "provider.malformed"],
      ["a web page that says it is a stream", () => replying("<html>\n<body>\n", sse), "provider.malformed"],
      ["a whole JSON answer", () => replying('{"content":[]}', json), "provider.malformed"],
      [
        "a JSON error with a good status",
        () => replying(vendor.complaint("overflow", "").body, json),
        "provider.context-overflow",
      ],
      ["an empty response", () => replying("", sse), "provider.truncated"],
      ["events that are not JSON", () => replying("data: soon\n\n", sse), "provider.malformed"],
      ["a redirect", () => replying("", { location: "https://elsewhere.example/" }, 307), "provider.malformed"],
      ["an empty failure", () => replying("", {}, 500), "provider.failed"],
      ["a web page of a proxy", () => replying("<html>Bad gateway</html>", html, 502), "provider.failed"],
    ])("%s is an error", async (_what, reply, code) => {
      expect(codeOf(await reply())).toBe(code);
    });

    test("a web page is not shown to a person", async () => {
      const { last } = await replying("<html><body>Bad gateway</body></html>", html, 502);
      expect(JSON.stringify(last)).not.toContain("<");
    });

    test("bytes that are not UTF-8 are an error, also in harmless places", async () => {
      const chunks = [bytes('data: {"note":"'), Uint8Array.of(0xff, 0xff, 0xff, 0xff), bytes('"}\n\n')];
      expect(codeOf(await answer({ chunks }))).toBe("provider.malformed");
    });

    test("an event without an end is an error and does not fill the memory", async () => {
      const chunk = bytes("x".repeat(1024 * 1024));
      const reply: WireReply = { chunks: [bytes("data: "), ...Array.from({ length: 20 }, () => chunk)], then: "hang" };
      expect(codeOf(await answer(reply))).toBe("provider.malformed");
    });

    test("a failure with an endless body is an error", async () => {
      const chunk = bytes("x".repeat(64 * 1024));
      const reply: WireReply = { status: 500, headers: {}, chunks: [chunk, chunk], then: "hang" };
      const { last } = await answer(reply);
      expect(codeOf({ deltas: [], last })).toBe("provider.failed");
      expect(JSON.stringify(last).length).toBeLessThan(2000);
    });

    test.each([
      ["ECONNREFUSED", "no server listens"],
      ["ENOTFOUND", "name is unknown"],
      ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate"],
      ["ECONNRESET", "closed the connection"],
      ["ETIMEDOUT", "does not answer"],
    ])("a network error %s is explained", async (code, words) => {
      const { last } = await answer({ network: Object.assign(new TypeError("fetch failed"), { code }) });
      expect(last).toMatchObject({
        type: "error",
        error: { code: "provider.unreachable", message: expect.stringContaining(words) },
      });
    });
  });

  describe(`${name}: messages of refusals`, () => {
    const refusing = (status: number, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
      answer({ status, headers: { "content-type": "application/json", ...headers }, chunks: [bytes(body)] });

    test.each([
      [{ "retry-after": "2" }, 2000],
      [{ "retry-after": "86400" }, 86_400_000],
      [{ "retry-after": "Thu, 01 Jan 2026 00:01:00 GMT" }, 60_000],
      [{ "retry-after": "Thu, 01 Jan 2020 00:00:00 GMT" }, 0],
      [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
      [{ "retry-after": "soon" }, undefined],
      [{}, undefined],
    ])("with %j the wait is %p ms", async (headers, expected) => {
      const { last } = await refusing(429, vendor.complaint("rate", "slow down").body, headers);
      expect(last).toMatchObject({ type: "error", error: { code: "provider.rate-limited" } });
      expect(last.type === "error" ? last.retryAfterMs : NaN).toBe(expected as number);
    });

    test.each([
      [401, "provider.auth"],
      [402, "provider.refused"],
      [403, "provider.auth"],
      [404, "provider.refused"],
      [408, "provider.timeout"],
      [413, "provider.context-overflow"],
      [418, "provider.refused"],
      [503, "provider.overloaded"],
      [504, "provider.failed"],
      [529, "provider.overloaded"],
    ])("a bare %i is %s", async (status, code) => {
      expect(codeOf(await refusing(status, "{}"))).toBe(code);
    });

    test("the key is in no message, whole or in part", async () => {
      for (const echo of [`wrong key ${KEY}`, "wrong key sk-ab****4711", "Authorization: Bearer other-4711"]) {
        const { last } = await refusing(401, vendor.complaint("auth", echo).body);
        expect(last).toMatchObject({
          type: "error",
          error: { code: "provider.auth", hint: expect.stringContaining("Check that the key") },
        });
        expect(JSON.stringify(last)).not.toMatch(/4711/);
        expect(JSON.stringify(last)).toContain("[key]");
      }
    });

    test("without a key the hint is to set one", async () => {
      const wire = createFakeWire([{ status: 401, headers: {}, chunks: [] }]);
      const provider = await factory({ fetch: wire.fetch, clock: createFakeWorld({ hash }).clock });
      const { last } = await collect(provider.stream(ask("Hello"), neverAborted));
      expect(last).toMatchObject({
        error: { code: "provider.auth", hint: expect.stringContaining("No key was sent") },
      });
    });
  });
};
