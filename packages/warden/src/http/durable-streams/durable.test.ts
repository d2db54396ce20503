import { expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse } from "../fakes/fake-house.ts";

test("the routes behind /v1/stream are loaded again after a failed load", async () => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const { durable } = (await createFakeHouse(world)).options.daemon;
  let fails = 1;
  const house = await createFakeHouse(world, {
    daemon: { durable: () => (fails-- > 0 ? Promise.reject(new Error("it cannot be read")) : durable()) },
  });
  const status = async (): Promise<number> => (await house.call("/v1/stream/__ds/jwks.json")).status;
  expect([await status(), await status()]).toEqual([500, 200]);
});
