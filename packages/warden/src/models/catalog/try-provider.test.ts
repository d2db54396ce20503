/** The result of a test call over a real wire, as shown to a person: the error, and the remedy. */
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { expect, test } from "bun:test";
import { createOpenAIProvider } from "../wires/openai.ts";
import { settle } from "../provider.conformance.ts";
import { tryProvider } from "./try-provider.ts";
import { createFakeWire, type WireReply } from "../wires/wire-fake.ts";
import { bytes, hash, neverAborted } from "../wires/wire-harness.conformance.ts";

const open = async (reply: WireReply, apiKey?: string) => {
  const wire = createFakeWire([reply]);
  const world = createFakeWorld({ hash, fetch: wire.fetch });
  const provider = await createOpenAIProvider({
    fetch: wire.fetch,
    clock: world.clock,
    baseUrl: "http://den.example/v1",
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return { world, wire, result: tryProvider(provider, "large", world.clock, neverAborted) };
};
const refusal = (status: number, message: string): WireReply => ({
  status,
  headers: { "content-type": "application/json" },
  chunks: [bytes(JSON.stringify({ error: { message } }))],
});

test.each<[string, WireReply, string | undefined, string]>([
  [
    "a missing key",
    refusal(401, "You didn't provide a key"),
    undefined,
    "den.example does not accept the key (401): You didn't provide a key. No key was sent. Give this provider a key.",
  ],
  [
    "a wrong key",
    refusal(401, "Incorrect key: sk-4711."),
    "sk-4711",
    "den.example does not accept the key (401): Incorrect key: [key]. Check that the key is complete, still valid, and meant for this provider and model.",
  ],
  [
    "an unknown model",
    refusal(404, 'model "large" not found'),
    "k",
    "den.example refuses the request (404): model \"large\" not found. Check the model's name, and the provider's `base_url`: for most compatible servers it ends in /v1.",
  ],
  [
    "a server that does not listen",
    { network: Object.assign(new TypeError("fetch failed"), { code: "ECONNREFUSED" }) },
    "k",
    "den.example cannot be reached: no server listens there. Check the network and the provider's `base_url`, and that the server is running.",
  ],
])("%s is explained, with what to do", async (_what, reply, key, detail) => {
  expect(await (await open(reply, key)).result).toMatchObject({
    ...{ ok: false, detail, durationMs: 0, error: { code: expect.stringMatching(/^provider\./) } },
  });
});

test.each<[string, WireReply]>([
  ["says nothing", { chunks: [], then: "hang" }],
  ["never ends", { chunks: [bytes('data: {"choices":[{"delta":{"content":"re"}}]}\n\n')], then: "hang" }],
])("a model that %s is given up after 20 s", async (_what, reply) => {
  const { world, wire, result } = await open(reply);
  await settle();
  await world.advance(20_000);
  expect(await result).toEqual({
    ok: false,
    detail: expect.stringMatching(/^large did not answer within 20 s\. .*try again in a minute, or choose a smaller/),
    durationMs: 20_000,
  });
  await settle();
  expect(wire.open()).toBe(0);
});
