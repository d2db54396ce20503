/** Silence, and the requests that are sent. */
import type { ModelRequest, ToolCall } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { type Answer, ask, codeOf, collect, settle } from "../provider.conformance.ts";
import { IDLE_TIMEOUT_MS, type ProviderFactory } from "../provider.ts";
import type { FakeWire, WireReply } from "./wire-fake.ts";
import { bytes, hash, KEY, neverAborted, openWire, type VendorWire } from "./wire-harness.conformance.ts";

export const callClauses = (name: string, factory: ProviderFactory, vendor: VendorWire): void => {
  describe(`${name}: silence`, () => {
    const runSilence = async (reply: WireReply, pausesMs: readonly number[]): Promise<Answer & { open: number }> => {
      const openedWire = await openWire(factory, [reply]);
      const collecting = collect(openedWire.provider.stream(ask("Hello"), neverAborted));
      for (const ms of pausesMs) {
        await settle();
        await openedWire.world.advance(ms);
      }
      const result = await collecting;
      await settle();
      return { ...result, open: openedWire.openConnections() };
    };

    test("a stream that falls silent is given up, and its connection closed", async () => {
      const reply: WireReply = { chunks: [bytes(vendor.begin(["I begin, and "]))], then: "hang" };
      const result = await runSilence(reply, [IDLE_TIMEOUT_MS]);
      expect(codeOf(result)).toBe("provider.timeout");
      expect(result.deltas.join("")).toBe("I begin, and ");
      expect(result.open).toBe(0);
    });

    /** Sends these pieces one by one, with `stepMs` between them. */
    const trickle = async (pieces: readonly string[], stepMs: number): Promise<Answer> => {
      const { clock, advance } = createFakeWorld({ hash });
      const pipe = new TransformStream<Uint8Array, Uint8Array>();
      const writer = pipe.writable.getWriter();
      const response = new Response(pipe.readable, { headers: { "content-type": "text/event-stream" } });
      const provider = await factory({
        apiKey: KEY,
        clock,
        fetch: () => Promise.resolve(response),
      });
      const collecting = collect(provider.stream(ask("Hello"), neverAborted));
      for (const piece of pieces) {
        // Writes after the reader has stopped fail, which is expected.
        writer.write(bytes(piece)).catch(() => undefined);
        await settle();
        await advance(stepMs);
      }
      return collecting;
    };

    test("bytes that never complete a line count as silence", async () => {
      expect(codeOf(await trickle(["d", "a", "t", "a"], IDLE_TIMEOUT_MS / 3))).toBe("provider.timeout");
    });

    test("comments from the server count as activity", async () => {
      const comment = ": still here\n\n";
      const { deltas } = await trickle(
        [comment, comment, comment, vendor.stream({ texts: ["Here."] })],
        IDLE_TIMEOUT_MS / 2,
      );
      expect(deltas).toEqual(["Here."]);
    });

    test("a slow reader is not silence of the wire", async () => {
      const pieces = [...bytes(vendor.stream({ texts: ["one ", "two"] }))].map((byte) => Uint8Array.of(byte));
      const openedWire = await openWire(factory, [{ chunks: pieces }]);
      const types: string[] = [];
      for await (const event of openedWire.provider.stream(ask("Hello"), neverAborted)) {
        types.push(event.type);
        await openedWire.world.advance(IDLE_TIMEOUT_MS * 3);
      }
      expect(types).toEqual(["text-delta", "text-delta", "end"]);
    });

    test("a server that accepts the call and never answers is given up", async () => {
      const world = createFakeWorld({ hash });
      const fetch = (_input: unknown, init?: RequestInit): Promise<Response> =>
        new Promise((_resolve, reject) =>
          init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError"))),
        );
      const provider = await factory({ fetch, clock: world.clock, apiKey: KEY });
      const collecting = collect(provider.stream(ask("Hello"), neverAborted));
      await settle();
      await world.advance(IDLE_TIMEOUT_MS);
      expect(codeOf(await collecting)).toBe("provider.timeout");
    });
  });

  describe(`${name}: requests`, () => {
    const send = async (request: ModelRequest): Promise<FakeWire["requests"][number]> => {
      const { provider, wire } = await openWire(factory, [{ chunks: [bytes(vendor.stream({ texts: ["ok"] }))] }]);
      expect((await collect(provider.stream(request, neverAborted))).last.type).toBe("end");
      const [sentRequest] = wire.requests;
      if (sentRequest === undefined) throw new Error("Nothing was sent.");
      return sentRequest;
    };

    test("lone surrogates and NUL do not break a request", async () => {
      const { body } = await send({
        ...ask("half \uD83D and nul \0"),
        system: [{ text: "sys \uDE00\0", stable: true }],
        messages: [
          { role: "user", text: "half \uD83D and nul \0" },
          { role: "assistant", text: "\uDE00", toolCalls: [{ id: "a", name: "read", input: { "k\uD83D": ["v\0"] } }] },
          { role: "tool", call: "a", name: "read", text: "\uD83D\0", failed: false },
        ],
      });
      expect(body).not.toMatch(/\\u(d[89a-f]|0000)/i);
      expect(body).toContain("\uFFFD");
    });

    test("a call with unreadable arguments is sent back without arguments", async () => {
      const history = (call: ToolCall): ModelRequest => ({
        ...ask("Hello"),
        messages: [
          { role: "user", text: "Hello" },
          { role: "assistant", text: "", toolCalls: [call] },
          { role: "tool", call: "a", name: "read", text: "Call it again.", failed: true },
        ],
      });
      const call = { id: "a", name: "read", input: {} };
      const { body } = await send(history({ ...call, unreadable: "{path: notes.md}" }));
      expect(body).toBe((await send(history(call))).body);
    });

    test("the same request has the same bytes", async () => {
      expect((await send(ask("Hello"))).body).toBe((await send(ask("Hello"))).body);
    });

    test("no header reveals this machine or its environment", async () => {
      const { headers } = await send(ask("Hello"));
      expect([...headers.keys()].filter((header) => header !== "anthropic-version").sort()).toEqual([
        "accept",
        "authorization",
        "content-type",
        "user-agent",
      ]);
    });

    test("an id that two calls share is sent as two ids", async () => {
      const turn = (id: string): ModelRequest["messages"] => [
        { role: "assistant", text: "", toolCalls: [{ id, name: "read", input: {} }] },
        { role: "tool", call: id, name: "read", text: "done", failed: false },
      ];
      const { body } = await send({
        ...ask("Hello"),
        messages: [{ role: "user", text: "Hello" }, ...turn("call_0"), ...turn("call_0"), ...turn("functions.read:0")],
      });
      expect(body.match(/call_0"/g)).toHaveLength(2);
      expect(body.match(/"c00003000"/g)).toHaveLength(2);
      expect(body.match(/"c00005000"/g)).toHaveLength(2);
    });
  });
};
