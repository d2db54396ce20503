import { expect, test } from "bun:test";
import { renew } from "./renewal.ts";

const keys = { p256dh: "p", auth: "a" };
const createHouse = (devices: readonly unknown[], status = 200) => {
  const requests: unknown[] = [];
  return {
    requests,
    async ask(path: string, { method = "GET", body, credentials }: RequestInit) {
      requests.push([method, path, credentials, ...(typeof body === "string" ? [JSON.parse(body)] : [])]);
      return Response.json(path.endsWith("/key") ? { publicKey: "house-key" } : { devices }, { status });
    },
  };
};

test("a changed subscription replaces the device of this session under its name", async () => {
  const house = createHouse([
    { name: "Phone", isThis: false },
    { name: "Desk", isThis: true },
  ]);
  await renew(house.ask, async (publicKey) => ({
    toJSON: () => ({ endpoint: `https://push.test/${publicKey}`, keys }),
  }));
  expect(house.requests).toEqual([
    ["GET", "/api/notifications", "same-origin"],
    ["POST", "/api/notifications/key", "same-origin"],
    [
      ...["POST", "/api/notifications/devices", "same-origin"],
      { name: "Desk", endpoint: "https://push.test/house-key", keys },
    ],
  ]);
});

test("a device that its person removed or logged out stays removed", async () => {
  let subscribed = 0;
  const subscribe = async () => ((subscribed += 1), { toJSON: () => ({ endpoint: "https://push.test/1", keys }) });
  const removed = createHouse([{ name: "Phone", isThis: false }]);
  await renew(removed.ask, subscribe);
  expect(removed.requests).toHaveLength(1);
  const loggedOut = createHouse([], 401);
  await expect(renew(loggedOut.ask, subscribe)).rejects.toThrow("/api/notifications was answered with 401");
  expect(subscribed).toBe(0);
});
