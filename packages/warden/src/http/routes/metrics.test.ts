/** `GET /metrics` and the scope of a key that may only call it. */
import { expect, test } from "bun:test";
import { CreatedKey } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, HOST, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();
const MEASURED = "hearth_turn_duration_seconds_count{} 1\n";

const setUp = async (measured: string | undefined = MEASURED) => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  Object.assign(house.options.kernel.telemetry, { expose: () => measured });
  const ask = async (path: string, key: string, init: RequestInit = {}) => {
    const headers = { host: HOST, authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await house.call(path, { ...init, headers });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  const makeKey = (key: string, body: object) => ask("/api/keys", key, { method: "POST", body: JSON.stringify(body) });
  const metricsKey = async () =>
    CreatedKey.parse(JSON.parse((await makeKey(RUN_TOKEN, { name: "p", scope: { level: "r", only: "metrics" } })).text))
      .key;
  return { house, ask, makeKey, metricsKey };
};

test("administrators and keys for it read the metrics with the state of the house; others do not", async () => {
  const { house, ask, metricsKey } = await setUp();
  for (const key of [house.key, await metricsKey()]) {
    const { status, type, text } = await ask("/metrics", key);
    expect([status, type]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    expect(text).toStartWith(MEASURED);
    expect(text).toContain('hearth_activations{state="running"}');
  }
  expect((await ask("/metrics", house.botKey)).status).toBe(403);
  expect((await ask("/metrics", "wrong")).status).toBe(401);
});

test("the metrics say when the last backup to each place was made, and whether that is on time", async () => {
  const { house, ask } = await setUp();
  expect((await ask("/metrics", house.key)).text).not.toContain("hearth_backup");
  const place = { to: "/mnt", everyMs: 3_600_000, keep: 7, isEncrypted: false, isRunning: false, isLate: false };
  Object.assign(house.options.reports, {
    backups: async () => [
      { ...place, last: { number: 3, at: 1_700_000_000_500 } },
      { ...place, target: "nas", problem: "The host does not answer." },
      { ...place, target: "s3", isLate: true, last: { number: 1, at: 1_600_000_000_000 } },
    ],
  });
  const lines = (await ask("/metrics", house.key)).text.split("\n").filter((line) => line.startsWith("hearth_backup"));
  expect(lines).toEqual([
    'hearth_backup_last_timestamp_seconds{target=""} 1700000000.5',
    'hearth_backup_last_timestamp_seconds{target="nas"} 0',
    'hearth_backup_last_timestamp_seconds{target="s3"} 1600000000',
    'hearth_backup_ok{target=""} 1',
    'hearth_backup_ok{target="nas"} 0',
    'hearth_backup_ok{target="s3"} 0',
  ]);
});

test("a key for metrics can call nothing else", async () => {
  const { ask, metricsKey, makeKey } = await setUp();
  const key = await metricsKey();
  for (const path of [
    "/api/me",
    "/api/status",
    "/api/rooms",
    "/api/keys",
    "/openapi.json",
    "/v1/stream/x",
    "/ws",
    "/metrics/",
  ])
    expect([path, (await ask(path, key)).status]).toEqual([path, 403]);
  expect((await ask("/metrics", key, { method: "POST", body: "{}" })).status).toBe(403);
  expect((await makeKey(key, { name: "more" })).status).toBe(403);
});

test("only administrators with all their rights create such a key", async () => {
  const { house, makeKey } = await setUp();
  const wish = { name: "p", scope: { level: "r", only: "metrics" } };
  expect((await makeKey(house.botKey, wish)).status).toBe(403);
  const scoped = await makeKey(RUN_TOKEN, { name: "reader", scope: { level: "r" } });
  expect((await makeKey(JSON.parse(scoped.text).key, wish)).status).toBe(403);
});

test("while the observer is off, the metrics are not found and the answer says how to turn it on", async () => {
  const { house, ask } = await setUp("");
  Object.assign(house.options.kernel.telemetry, { expose: () => undefined });
  const { status, text } = await ask("/metrics", house.key);
  expect([status, JSON.parse(text).error.hint]).toEqual([
    404,
    `Turn it on: hearth config set 'observers.to=["prometheus"]'`,
  ]);
});
