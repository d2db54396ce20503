import { expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;

const fail = (): string => {
  const den = own.house.addRoom({ name: "Den", kind: "group" });
  const activation = own.house.wake(own.house.postMessage(den, own.house.owner, "hello"), own.house.main);
  activation.end("failed", { error: { code: "provider.auth", message: "The key is wrong." } });
  return activation.id;
};

test("room retry` lists failed activations and retries non", async () => {
  const id = fail();
  const { out } = await hearth("room", "retry", "den");
  expect(out).toContain(id);
  expect(out).toContain("The key is wrong.");
  expect(await json("room", "retry", "den")).toMatchObject([{ id, state: "failed" }]);
  expect(own.house.requests.filter((request) => request.includes("/retry"))).toEqual([]);
});

test("room retry` with an activation or --all retries it and no longer lists i", async () => {
  const id = fail();
  const [fresh] = (await json("room", "retry", "den", id)) as [{ id: string }];
  expect(fresh.id).not.toBe(id);
  expect((await hearth("room", "retry", "den", id)).out).toContain(`${id} is retried as ${fresh.id}`);
  expect((await hearth("room", "retry", "den", "--all")).out).toContain("No failed activations are left to retry.");
  expect((await hearth("room", "retry", "den", id, "--all")).code).toBe(2);
});
