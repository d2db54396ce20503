/** The choice of a person about which replies they hear. */
import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();

const open = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const ask = async (method: string, body?: unknown, headers: Record<string, string> = {}) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await house.call("/api/voice", init);
    return [response.status, await response.json()] as const;
  };
  return { house, ask };
};

test("no reply is spoken until the person chooses so, and the choice stays", async () => {
  const { house, ask } = await open();
  expect(await ask("GET")).toEqual([200, { replies: "never" }]);
  expect(await ask("PATCH", { replies: "voice-notes" })).toEqual([200, { replies: "voice-notes" }]);
  expect(await ask("PATCH", { replies: "always" })).toEqual([200, { replies: "always" }]);
  expect(await ask("GET")).toEqual([200, { replies: "always" }]);
  expect(await house.store.select({ table: "voice_choices" })).toEqual([{ agent: house.owner.id, replies: "always" }]);
});

test("another word is refused, and a bot hears nothing", async () => {
  const { house, ask } = await open();
  for (const body of [{ replies: "sometimes" }, {}, { replies: "always", more: 1 }])
    expect((await ask("PATCH", body))[0]).toBe(400);
  const bot = await ask("PATCH", { replies: "always" }, { authorization: `Bearer ${house.botKey}` });
  expect(bot).toMatchObject([403, { error: { message: "Only people can have spoken replies." } }]);
  expect(await house.store.select({ table: "voice_choices" })).toEqual([]);
});

test("each person has a choice, which is removed with the person", async () => {
  const { house, ask } = await open();
  const { records, voiceChoices } = house.options.people;
  const ben = await records.mutate(
    { kind: "create", type: "agent", content: { name: "Ben", kind: "human" } },
    house.owner.id,
  );
  await voiceChoices.choose(ben.id as typeof house.owner.id, "always");
  expect(await ask("GET")).toEqual([200, { replies: "never" }]);
  await records.mutate({ kind: "remove", id: ben.id }, house.owner.id);
  expect(await house.store.select({ table: "voice_choices" })).toEqual([]);
  await voiceChoices.choose(ben.id as typeof house.owner.id, "always");
  expect(await house.store.select({ table: "voice_choices" })).toEqual([]);
});
