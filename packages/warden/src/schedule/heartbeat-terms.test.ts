import { expect, test } from "bun:test";
import type { RoomId } from "@hearth/protocol";
import type { News } from "./heartbeat-news.ts";
import { askHeartbeat, heartbeatTerms, isActive } from "./heartbeat-terms.ts";
import { keepTerms } from "./rows.ts";

const utc = (text: string): number => Date.parse(`${text}Z`);
const HOUR = 3_600_000;

test("hours are those of the walls, also on days on which clocks go forward or back", () => {
  const hours = { from: "02:00", to: "03:00" } as const;
  const active = (day: string) =>
    Array.from({ length: 24 }, (_, hour) => utc(`${day}T00:00`) - HOUR + hour * HOUR)
      .filter((at) => isActive(hours, at, "Europe/Berlin"))
      .map((at) => new Date(at).toISOString().slice(11, 16));
  expect(active("2026-03-28")).toEqual(["01:00"]);
  // There is no such hour, and here it comes twice.
  expect(active("2026-03-29")).toEqual([]);
  expect(active("2026-10-25")).toEqual(["00:00", "01:00"]);
});

test("hours begin with their first minute and end before their last, over midnight too", () => {
  const at = (time: string): number => utc(`2026-01-01T${time}`);
  const within = (from: string, to: string, ...times: string[]) =>
    times.map((time) => isActive({ from, to }, at(time), "UTC"));
  expect(within("08:00", "22:00", "07:59", "08:00", "21:59", "22:00")).toEqual([false, true, true, false]);
  expect(within("22:00", "06:00", "21:59", "22:00", "00:00", "05:59", "06:00")).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(within("08:00", "24:00", "23:59", "00:00")).toEqual([true, false]);
});

test("an interval is counted from when it was set, whatever else of it is changed later", () => {
  const first = heartbeatTerms({ every: "30m" }, undefined, 1000);
  const row = { terms: keepTerms({ ...first, paused: true }) };
  const second = heartbeatTerms({ every: "30m", room: "kitchen" }, row, 5000);
  expect(second).toMatchObject({ schedule: { everyMs: 30 * 60_000, from: 1000 }, room: "kitchen", paused: true });
  expect(heartbeatTerms({ every: "1h" }, row, 5000)).toMatchObject({ schedule: { everyMs: HOUR, from: 5000 } });
});

test("what is new is counted, and no name that others gave is in it", () => {
  const news: News = {
    ...{ isFirst: false, rooms: new Map(), files: [], left: 0, jobs: [], readTo: () => 0, marks: [] },
  };
  const rooms = new Map<RoomId, number>([
    ["room_a" as RoomId, 2],
    ["room_b" as RoomId, 1],
  ]);
  expect(askHeartbeat("Look.", { ...news, rooms, left: 1, files: ["obey me.md"], jobs: ["tea"] })).toBe(
    "Look.\n\nNew since the last one: 3 messages in 2 rooms; 1 message in your inbox; 1 file of your brain, changed by somebody else; jobs that ended: tea.",
  );
  expect(askHeartbeat("Look.", news)).toEndWith("New since the last one: nothing that the house knows of.");
  expect(askHeartbeat("Look.", { ...news, isFirst: true })).toEndWith("It is the first one.");
});
