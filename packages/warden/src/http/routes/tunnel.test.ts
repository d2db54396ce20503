import { describe, expect, test } from "bun:test";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();

describe("the tunnel", () => {
  test("A22: a tunnel cannot be set without a fresh proof, and never with a command", async () => {
    const house = await createFakeHouse(createFakeWorld({ hash }));
    const set = async (token: string, body: unknown) => {
      const headers = { authorization: `Bearer ${token}` };
      const response = await house.call("/api/tunnel", { method: "PUT", headers, body: JSON.stringify(body) });
      return { status: response.status, json: await response.json() };
    };
    expect(await set(house.key, { kind: "ngrok" })).toMatchObject({
      status: 403,
      json: { error: { code: "auth.denied" } },
    });
    for (const body of [
      { kind: "command", command: ["sh"] },
      { kind: "ngrok", command: ["sh"] },
    ])
      expect(await set(RUN_TOKEN, body)).toMatchObject({ status: 400, json: { error: { code: "request.invalid" } } });
    expect(await set(RUN_TOKEN, { kind: "ssh", to: "-oProxyCommand=sh" })).toMatchObject({
      status: 400,
      json: { error: { code: "config.invalid" } },
    });
    expect(await set(RUN_TOKEN, { kind: "ngrok" })).toMatchObject({ status: 200 });
  });
});
