/** Data that a vendor requires back unchanged is sent to that vendor only. */
import { AssistantMessage, type ModelRequest } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { describe, expect, test } from "bun:test";
import { ask, collect } from "../provider.conformance.ts";
import type { ProviderFactory } from "../provider.ts";
import { createFakeWire } from "./wire-fake.ts";
import { answerOf, bytes, hash, neverAborted, type VendorWire } from "./wire-harness.conformance.ts";

export const thoughtClauses = (name: string, factory: ProviderFactory, vendor: VendorWire): void => {
  /** Returns the answer with thoughts, as frames and the journal carry it. */
  const think = async (): Promise<AssistantMessage> => {
    const { last } = await answerOf(factory, { chunks: [vendor.thinking.bytes] });
    if (last.type !== "end") throw new Error("There is no answer.");
    return AssistantMessage.parse(JSON.parse(JSON.stringify(last.message)));
  };

  /** Sends the results of the calls to this URL. Returns the body of the request. */
  const sendResults = async (message: AssistantMessage, baseUrl?: string): Promise<string> => {
    const wire = createFakeWire([{ chunks: [bytes(vendor.stream({ texts: ["ok"] }))] }]);
    const { clock } = createFakeWorld({ hash });
    const provider = await factory({ fetch: wire.fetch, clock, ...(baseUrl === undefined ? {} : { baseUrl }) });
    const request: ModelRequest = {
      ...ask(""),
      messages: [
        { role: "user", text: "Hello" },
        message,
        ...message.toolCalls.map(({ id, name: tool }) => ({
          role: "tool" as const,
          call: id,
          name: tool,
          text: "done",
          failed: false,
        })),
      ],
    };
    expect((await collect(provider.stream(request, neverAborted))).last.type).toBe("end");
    return wire.requests[0]?.body ?? "";
  };

  describe(`${name}: thoughts that the vendor requires back`, () => {
    test("are sent back with the results of the calls, unchanged and in their positions", async () => {
      expect(await sendResults(await think())).toContain(JSON.stringify(vendor.thinking.back));
    });

    test("are not shown", async () => {
      const { deltas } = await answerOf(factory, { chunks: [vendor.thinking.bytes] });
      const { vendor: vendorData, ...visibleMessage } = await think();
      expect(vendorData?.data).toContain("sealed");
      expect(deltas.join("") + JSON.stringify(visibleMessage)).not.toContain("sealed");
    });

    test("are not sent to another host, nor to another wire on the same host", async () => {
      const message = await think();
      const [kind, host = ""] = message.vendor?.wire.split(" ") ?? [];
      expect(kind).toBe(name);
      const otherMessage = { ...message, vendor: { wire: `other ${host}`, data: message.vendor?.data ?? "" } };
      expect(await sendResults(message, "https://elsewhere.example/v1")).not.toContain("sealed");
      expect(await sendResults(otherMessage)).not.toContain("sealed");
    });

    test.each([
      "",
      "null",
      "[7]",
      '{"message":7,"extras":7}',
      '{"message":{"content":"x"}}',
      '[{"thought":{"type":"image","source":"x"}}]',
    ])("that a cell replaced by %p are dropped", async (data) => {
      const message = await think();
      const forgeMessage = (forged: string): AssistantMessage => ({
        ...message,
        vendor: { wire: message.vendor?.wire ?? "", data: forged },
      });
      expect(await sendResults(forgeMessage(data))).toBe(await sendResults(forgeMessage("{}")));
      expect(await sendResults(forgeMessage(data))).not.toContain("sealed");
    });
  });
};
