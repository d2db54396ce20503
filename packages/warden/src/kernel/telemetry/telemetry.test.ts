import { expect, test } from "bun:test";
import type { ActivationId, World } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createMemoryConfigFile } from "../config/file.ts";
import { parseConfig } from "../config/read.ts";
import { createConfigSource } from "../config/source.ts";
import { createFakeLog } from "../log/log.ts";
import { createMemoryObserver } from "./memory-observer.ts";
import type { Observer } from "./observer.ts";
import { createTelemetry } from "./telemetry.ts";

const { hash } = createBunWorld();
const activation = (name: string): ActivationId => `act_${name.padStart(26, "0")}` as ActivationId;

const setUp = async (text: string, additional?: Observer, fetch?: World["fetch"]) => {
  const world = createFakeWorld({ hash, ...(fetch === undefined ? {} : { fetch }) });
  const log = createFakeLog();
  const parsed = parseConfig(`version = 1\n${text}`, "hearth.toml");
  const config = createConfigSource(createMemoryConfigFile(`version = 1\n${text}`), parsed);
  const telemetry = createTelemetry({ world, log, config, additional });
  const references = { environment: () => undefined, readFile: async () => undefined };
  telemetry.follow({ version: "1", redact: (name) => name.replaceAll("hush", "[secret]"), references });
  await telemetry.waitForObservers();
  const configure = async (next: string): Promise<void> => {
    await config.edit(() => `version = 1\n${next}`);
    await telemetry.waitForObservers();
  };
  return { telemetry, world, log, configure };
};

test("without observers nothing is measured", async () => {
  const { telemetry } = await setUp("");
  expect(telemetry.start("turn", activation("1"))).toBeUndefined();
  expect(telemetry.expose()).toBeUndefined();
});

test("the observers follow the config while the house runs", async () => {
  const { telemetry, configure, log } = await setUp("");
  await configure('[observers]\nto = ["prometheus", "log"]\n');
  telemetry.start("turn", activation("1"))?.end({ outcome: "reply" });
  expect(telemetry.expose()).toContain('hearth_turn_duration_seconds_count{outcome="reply",trigger="",error=""} 1');
  expect(log.lines).toHaveLength(1);
  await configure('[observers]\nto = ["log"]\n');
  expect(telemetry.expose()).toBeUndefined();
  await configure("");
  expect(telemetry.start("turn", activation("2"))).toBeUndefined();
});

test("another change of the config leaves the observers and their counts", async () => {
  const { telemetry, configure } = await setUp('[observers]\nto = ["prometheus"]\n');
  telemetry.start("turn", activation("1"))?.end({ outcome: "reply" });
  await configure('[observers]\nto = ["prometheus"]\n\n[attachments]\nkeep_metadata = true\n');
  expect(telemetry.expose()).toContain('hearth_turn_duration_seconds_count{outcome="reply",trigger="",error=""} 1');
});

test("an observer that the config no longer names sends what it holds", async () => {
  const sent: string[] = [];
  const { telemetry, configure } = await setUp('[observers]\nto = ["otlp"]\n', undefined, async (url) => {
    sent.push(new Request(url).url);
    return new Response();
  });
  telemetry.start("turn", activation("1"))?.end({ outcome: "reply" });
  await configure("");
  expect(sent.some((url) => url.endsWith("/v1/traces"))).toBe(true);
});

test("all spans of a turn have one trace, also after a restart, and the turn's span is their parent", async () => {
  const observer = createMemoryObserver();
  const { telemetry, world } = await setUp("", observer);
  const turn = telemetry.start("turn", activation("1"));
  const model = telemetry.start("model", activation("1"));
  await world.advance(20);
  model?.end({ model: "hush/small" });
  telemetry.start("tool", activation("2"))?.end({});
  turn?.end({ outcome: "reply" });
  const [first, other, root] = observer.spans;
  expect(first).toMatchObject({
    trace: root?.trace,
    parent: root?.id,
    durationMs: 20,
    facts: { model: "[secret]/small" },
  });
  expect(root?.parent).toBeUndefined();
  expect(other?.trace).not.toBe(root?.trace);

  const later = createMemoryObserver();
  (await setUp("", later)).telemetry.start("turn", activation("1"))?.end({});
  expect(later.spans[0]?.trace).toBe(root?.trace);
});

test("a header that cannot be read is logged by its reference, and closing ends the observers", async () => {
  const { telemetry, log } = await setUp('[observers]\nto = ["otlp"]\notlp_headers = { "api-key" = "env:NOPE" }\n');
  expect(log.lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "warn", reference: "env:NOPE" }]);
  await telemetry[Symbol.asyncDispose]();
  expect(telemetry.start("turn", activation("1"))).toBeUndefined();
});
