import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, RUN_TOKEN } from "../fakes/fake-house.ts";

const open = async () => {
  const house = await createFakeHouse(createFakeWorld({ hash: createBunWorld().hash }));
  const rotations: unknown[] = [];
  const rotateKey = async (by: unknown) => {
    rotations.push(by);
    return { key: "0123456789abcdef", houses: 2 };
  };
  Object.assign(house.options.kernel.audit, { rotateKey });
  const rotate = async (credential: string) => {
    const headers = { authorization: `Bearer ${credential}` };
    const response = await house.call("/api/audit/key", { method: "POST", headers });
    return { status: response.status, json: await response.json() };
  };
  return { ...house, rotations, rotate };
};

test("a rotation of the key names its person and credential, and answers with the id of the new key", async () => {
  const { rotate, rotations, owner } = await open();
  expect(await rotate(RUN_TOKEN)).toEqual({ status: 200, json: { key: "0123456789abcdef", houses: 2 } });
  expect(rotations).toEqual([{ agent: owner.id, via: "run-token" }]);
});

test("A66: a rotation needs a fresh proof of identity, also from a key without limits", async () => {
  const { rotate, rotations, key, botKey } = await open();
  expect(await rotate(key)).toMatchObject({
    status: 403,
    json: { error: { code: "auth.denied", message: expect.stringContaining("needs a fresh login") } },
  });
  expect((await rotate(botKey)).status).toBe(403);
  expect(rotations).toEqual([]);
});
