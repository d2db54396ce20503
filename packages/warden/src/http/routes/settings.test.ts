import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();

test("a setting that can weaken a wall needs a fresh login, another one does not", async () => {
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const edit = async (token: string, values: unknown) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await house.call("/api/settings", { method: "PATCH", headers, body: JSON.stringify({ values }) });
    return { status: response.status, json: await response.json() };
  };
  const changed = await edit(house.key, { "budget.day": 5 });
  expect(changed.status).toBe(200);
  expect(changed.json.find(({ key }: { key: string }) => key === "budget.day")).toMatchObject({ value: 5 });
  expect(await edit(house.key, { "budget.day": 6, "egress.loopback": true })).toMatchObject({
    status: 403,
    json: { error: { code: "auth.denied", message: expect.stringContaining("A change of egress.loopback") } },
  });
  expect((await edit(RUN_TOKEN, { "egress.loopback": true })).status).toBe(200);
  expect(await edit(house.key, {})).toMatchObject({ status: 400, json: { error: { code: "request.invalid" } } });
  expect(await edit(house.key, { "budget.day": "much" })).toMatchObject({
    status: 400,
    json: { error: { code: "config.invalid" } },
  });
});
