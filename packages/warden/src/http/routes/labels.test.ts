import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import type { ActivationId, Label } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

const page: Label = { integrity: "untrusted", readers: "anyone", sources: ["https://example.org/page"] };

const open = async () => {
  const { hash } = createBunWorld();
  const house = await createFakeHouse(createFakeWorld({ hash }));
  const labels = await house.options.policy.files.open(house.bot.id);
  const by = "act_1" as ActivationId;
  await house.store.commit({ writes: [...labels.add("", page, by), ...labels.add("notes/web", page, by)] });
  const ask = async (method: string, path = "", key = house.key) => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await house.call(`/api/agents/main/brain/labels${path}`, { method, headers });
    return { status: response.status, json: await response.json() };
  };
  return { house, ask };
};

test("workspace labels are listed to administrators and the agent, with `.` for all of it", async () => {
  const { house, ask } = await open();
  const all = [
    { path: ".", label: page },
    { path: "notes/web", label: page },
  ];
  expect(await ask("GET")).toEqual({ status: 200, json: all });
  expect(await ask("GET", "", house.botKey)).toEqual({ status: 200, json: all });
});

test("a person clears them, below a path or all, and sees which remain; a bot cannot, not even its own", async () => {
  const { house, ask } = await open();
  const grant = { method: "PUT", body: JSON.stringify({ level: "x" }) };
  expect((await house.call(`/api/houses/${house.house}/grants/${house.bot.id}`, grant)).status).toBe(200);
  expect((await ask("DELETE", "?path=notes", house.botKey)).json.error).toMatchObject({
    code: "auth.denied",
    message: "Only a person may do this.",
  });
  expect((await ask("DELETE")).status).toBe(400);
  expect((await ask("DELETE", "?path=./notes/")).json).toEqual({ paths: ["notes/web"], label: page });
  expect((await ask("DELETE", "?path=other")).json).toEqual({ paths: [], label: page });
  expect((await ask("DELETE", "?path=.")).json).toMatchObject({ paths: ["."], label: { integrity: "owner" } });
  expect((await ask("GET")).json).toEqual([]);
  expect(await house.store.select({ table: "files" })).toEqual([]);
});
