/**
 * The official client of the Durable Streams protocol against the real daemon, which is killed
 * meanwhile.
 */
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DurableStream, stream } from "@durable-streams/client";
import { spend } from "@hearth/protocol/until";
import { createHome, type Daemon, type Json, startDaemon, until } from "./daemon.ts";
import { configFor, createModel } from "./model.ts";

const COUNT = 60;

/** Creates a key. The key and the port stay valid across restarts, so clients can retry unchanged. */
const enter = async (house: Daemon): Promise<{ readonly headers: Record<string, string>; readonly port: string }> => {
  const { json } = await house.ask("POST", "/api/keys", { name: "client" });
  return { headers: { authorization: `Bearer ${json.key}` }, port: new URL(house.url).port };
};

const roomOf = async (house: Daemon): Promise<string> =>
  (await house.ask("POST", "/api/rooms", { content: { name: "Group" } })).json.id;

const post = async (house: Daemon, room: string, index: number): Promise<void> => {
  await house.ask("POST", `/api/rooms/${room}/messages`, { text: `m${index}`, idempotencyKey: `k${index}` });
};

/** Follows a room and stores the offset of the last processed event, from which it reconnects. */
const follow = async (
  options: { readonly url: string; readonly live: "sse" | "long-poll"; readonly headers: Record<string, string> },
  count: number,
): Promise<readonly Json[]> => {
  const seen: Json[] = [];
  let offset = "-1";
  while (seen.length < count) {
    const stop = new AbortController();
    try {
      const response = await stream<Json>({ ...options, offset, signal: stop.signal });
      response.subscribeJson(async (batch) => {
        seen.push(...batch.items);
        offset = batch.offset;
        if (seen.length >= count) stop.abort();
      });
      await response.closed;
    } catch {
      await spend(10);
    }
  }
  return seen;
};

for (const live of ["sse", "long-poll"] as const) {
  test(`a reader that follows a room by ${live} gets every event once across two kills`, async () => {
    using home = createHome();
    let house = await startDaemon(home.folder);
    const { headers, port } = await enter(house);
    const room = await roomOf(house);
    const following = follow({ url: `${house.url}/v1/stream/rooms/${room}`, live, headers }, COUNT);
    for (let index = 0; index < COUNT; index += 1) {
      if (index === 20 || index === 40) {
        await house.kill();
        house = await startDaemon(home.folder, {}, ["--port", port]);
      }
      await post(house, room, index);
    }
    const seen = await following;
    await house.stop();
    expect(seen.map(({ offset, body }) => [offset, body.text])).toEqual(
      Array.from({ length: COUNT }, (_, index) => [index + 1, `m${index}`]),
    );
  });
}

test("appends of a producer across two kills are in its stream once, in order", async () => {
  using home = createHome();
  let house = await startDaemon(home.folder);
  const { headers, port } = await enter(house);
  const url = `${house.url}/v1/stream/results/of-one`;
  await DurableStream.create({ url, headers, contentType: "application/json" });
  /** Repeats an append until it is answered. It may have been stored before a kill. */
  const append = async (index: number): Promise<number> => {
    for (;;) {
      try {
        const { status } = await fetch(url, {
          method: "POST",
          headers: {
            ...headers,
            "content-type": "application/json",
            "producer-id": "worker",
            "producer-epoch": "0",
            "producer-seq": String(index),
          },
          body: JSON.stringify([{ index }, { index, half: 2 }]),
        });
        return status;
      } catch {
        await spend(5);
      }
    }
  };
  const answers: number[] = [];
  const appending = (async () => {
    for (let index = 0; index < COUNT; index += 1) answers.push(await append(index));
  })();
  for (let kill = 0; kill < 2; kill += 1) {
    await until(() => answers.length > kill * 20);
    await house.kill();
    house = await startDaemon(home.folder, {}, ["--port", port]);
  }
  await appending;
  expect(answers.every((status) => status === 200 || status === 204)).toBe(true);
  const read = await stream<Json>({ url, offset: "-1", live: false, headers });
  expect(await read.json()).toEqual(
    Array.from({ length: COUNT }, (_, index) => [{ index }, { index, half: 2 }]).flat(),
  );
  await house.stop();
});

test("an activation's stream can be followed to its end", async () => {
  await using model = createModel();
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), configFor(model.baseUrl));
  model.answer = () => ["one ", "two ", "three"];
  await using house = await startDaemon(home.folder, { TEST_KEY: "key" });
  const { headers } = await enter(house);
  await house.ask("POST", "/api/rooms/main/messages", { text: "hi" });
  let activation: string | undefined;
  while (activation === undefined) {
    activation = (await house.ask("GET", "/api/agents/main/activations")).json[0]?.id;
  }
  const following = await stream<Json>({
    url: `${house.url}/v1/stream/activations/${activation}/deltas`,
    offset: "-1",
    live: "sse",
    headers,
  });
  const seen: Json[] = [];
  for await (const event of following.jsonStream()) seen.push(event);
  expect(
    seen
      .filter(({ type }) => type === "text-delta")
      .map(({ text }) => text)
      .join(""),
  ).toBe("one two three");
  expect(seen.at(-1)).toMatchObject({ type: "end", state: "replied" });
});
