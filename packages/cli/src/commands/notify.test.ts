/** Notifications at the command line, against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
const device = { id: "9f86d081", name: "Pho\u001b[2Jne", service: "push.test", isThis: false, createdAt: 940_000 };
const choices = { rule: "important", rooms: {}, showsText: false };

test("devices are listed without control characters, removed, and as JSON", async () => {
  house.answer("GET /api/notifications", { choices, devices: [device] });
  expect((await hearth("notify", "list")).out).toMatch(/9f86d081 +Pho\\e\[2Jne +push\.test +1 min ago +never\n/);
  expect(JSON.parse((await hearth("notify", "list", "--json")).out)).toEqual([device]);
  house.answer("DELETE /api/notifications/devices/9f86d081", { choices, devices: [] });
  expect(await hearth("notify", "remove", "9f86d081")).toMatchObject({ code: 0, out: "removed 9f86d081\n" });
});

test("a test fails if a push service did not take it", async () => {
  house.answer("POST /api/notifications/test", { sent: 1, failed: 1 });
  expect(await hearth("notify", "test")).toMatchObject({ code: 1, out: "sent to 1 of 2\n" });
  house.answer("POST /api/notifications/test", { sent: 2, failed: 0 });
  expect(await hearth("notify", "test")).toMatchObject({ code: 0, out: "sent to 2 of 2\n" });
});

test("rules are shown, and changed for one room or for all others", async () => {
  const quiet = { from: "22:00", to: "07:00", timezone: "UTC" };
  house.answer("GET /api/notifications", { choices: { ...choices, quiet }, devices: [] });
  expect((await hearth("notify", "rules")).out).toMatch(
    /\(others\) +important\ntext: no\nquiet: 22:00 to 07:00, UTC\n$/,
  );
  house.answer("PATCH /api/notifications", { choices, devices: [] });
  await hearth("notify", "rules", "--default", "all", "--text", "yes", "--json");
  expect(house.requests.at(-1)).toBe('PATCH /api/notifications {"rule":"all","showsText":true}');
  expect(await hearth("notify", "rules", "--rule", "none")).toMatchObject({ code: 2 });
});
