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

test("quiet hours are set, changed in parts, and turned off", async () => {
  const change = async (...words: string[]): Promise<unknown> => {
    const { code } = await hearth("notify", "rules", ...words, "--json");
    const last = house.requests.at(-1) ?? "";
    return code === 0 && last.startsWith("PATCH ") ? JSON.parse(last.slice("PATCH /api/notifications ".length)) : code;
  };
  house.answer("GET /api/notifications", { choices, devices: [] });
  house.answer("PATCH /api/notifications", { choices, devices: [] });
  expect(await change("--quiet", "22:00-07:00")).toEqual({ quiet: { from: "22:00", to: "07:00", timezone: "UTC" } });
  expect(await change("--quiet", "22:00-07:00", "--days", "sat-mon,wed", "--timezone", "Europe/Berlin")).toEqual({
    quiet: { from: "22:00", to: "07:00", timezone: "Europe/Berlin", days: [1, 3, 6, 7] },
  });
  expect(await change("--quiet", "off")).toEqual({ quiet: null });
  // Without quiet hours there is nothing to change in parts.
  expect(await change("--days", "mon")).toBe(2);

  const quiet = { from: "21:00", to: "06:00", timezone: "Asia/Tokyo", days: [1] };
  house.answer("GET /api/notifications", { choices: { ...choices, quiet }, devices: [] });
  expect((await hearth("notify", "rules")).out).toContain("quiet: 21:00 to 06:00, Asia/Tokyo, mon\n");
  expect(await change("--days", "tue,fri")).toEqual({ quiet: { ...quiet, days: [2, 5] } });
  expect(await change("--quiet", "23:30-05:00", "--default", "all")).toEqual({
    rule: "all",
    quiet: { ...quiet, from: "23:30", to: "05:00" },
  });
  const { days: _days, ...daily } = quiet;
  expect(await change("--days", "all")).toEqual({ quiet: daily });
});

test("quiet hours that are no time, day or zone are refused with the grammar", async () => {
  house.answer("GET /api/notifications", { choices, devices: [] });
  const refused = async (...words: string[]): Promise<string> => {
    const { code, err } = await hearth("notify", "rules", ...words);
    expect(code).toBe(2);
    return err;
  };
  for (const time of ["22-7", "24:00-07:00", "22:00", "09:00-09:00", "22:00-07:60"])
    expect(await refused("--quiet", time)).toContain("--quiet 22:00-07:00");
  for (const days of ["", "monday", "mon-", "mon-tue-wed", "1"])
    expect(await refused("--quiet", "22:00-07:00", "--days", days)).toContain("--days mon-fri,sun");
  expect(await refused("--quiet", "22:00-07:00", "--timezone", "Mars/Base")).toContain("Europe/Berlin");
  expect(await refused("--quiet", "off", "--days", "mon")).toContain("Give --quiet off alone.");
  expect(house.requests.filter((request) => request.startsWith("PATCH"))).toEqual([]);
});
