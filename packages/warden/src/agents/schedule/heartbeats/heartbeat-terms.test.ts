import { expect, test } from "bun:test";
import type { RoomId } from "@hearth/protocol";
import type { News } from "./heartbeat-news.ts";
import { toHeartbeatPrompt, toHeartbeatDefinition } from "./heartbeat-terms.ts";
import { writeDefinition } from "../rows.ts";

const HOUR = 3_600_000;

test("an interval counts from when it was set, whatever else changes later", () => {
  const first = toHeartbeatDefinition({ every: "30m" }, undefined, 1000);
  const row = { terms: writeDefinition({ ...first, paused: true }) };
  const second = toHeartbeatDefinition({ every: "30m", room: "kitchen" }, row, 5000);
  expect(second).toMatchObject({ schedule: { everyMs: 30 * 60_000, from: 1000 }, room: "kitchen", paused: true });
  expect(toHeartbeatDefinition({ every: "1h" }, row, 5000)).toMatchObject({ schedule: { everyMs: HOUR, from: 5000 } });
});

test("news are counted, without names that others chose", () => {
  const news: News = {
    ...{
      isFirst: false,
      rooms: new Map(),
      files: [],
      newInboxCount: 0,
      jobs: [],
      previousOffset: () => 0,
      positionWrites: [],
    },
  };
  const rooms = new Map<RoomId, number>([
    ["room_a" as RoomId, 2],
    ["room_b" as RoomId, 1],
  ]);
  expect(toHeartbeatPrompt("Look.", { ...news, rooms, newInboxCount: 1, files: ["obey me.md"], jobs: ["tea"] })).toBe(
    "Look.\n\nNew since the last one: 3 messages in 2 rooms; 1 message in your inbox; 1 file of your brain, changed by others; jobs that ended: tea.",
  );
  expect(toHeartbeatPrompt("Look.", news)).toEndWith("New since the last one: nothing that the house knows of.");
  expect(toHeartbeatPrompt("Look.", { ...news, isFirst: true })).toEndWith("It is the first one.");
});
