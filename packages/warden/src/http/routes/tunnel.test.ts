import { describe, expect, test } from "bun:test";
import type { TunnelInfo } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeHouse, RUN_TOKEN } from "../fakes/fake-house.ts";

const { hash } = createBunWorld();

describe("the tunnel", () => {
  test("that is closed or does not reach the house makes /readyz degraded, which names only the part", async () => {
    const house = await createFakeHouse(createFakeWorld({ hash }));
    let info: TunnelInfo = { state: "off" };
    Object.assign(house.options.tunnel, { info: () => info });
    const ready = async () => (await house.call("/readyz", { headers: { authorization: "" } })).json();
    const url = "https://house.example";
    const route = { isReached: true, checkedAt: 1 };
    for (info of [{ state: "off" }, { state: "open", url }, { state: "open", url, route }] as const)
      expect(await ready()).toEqual({ status: "ready" });
    const failing = { status: "degraded", failing: ["tunnel"] };
    info = { state: "open", url, route: { isReached: false, checkedAt: 1, problem: "it is away" } };
    expect(await ready()).toEqual(failing);
    info = { state: "waiting", kind: "ngrok" };
    expect(await ready()).toEqual(failing);
  });

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
