import { expect, test } from "bun:test";
import { Heartbeat, type Job } from "@hearth/protocol";
import { createFakeJob } from "@hearth/protocol/job-fake";
import { createFakeAgent, createFakeMe, createFakeUi, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { renderUi, textAt, textOf } from "../rooms/fake-view.tsx";
import { checkHeartbeat, fieldsOf, toHeartbeatPatch } from "./heartbeat-draft.ts";
import { HeartbeatForm } from "./heartbeat-form.tsx";
import { HeartbeatState } from "./heartbeat-page.tsx";
import { findFirstActive, describeNext } from "./heartbeat-words.ts";
import { formatSlotTime } from "./job-words.ts";
import { AutomationsPage } from "./automations-page.tsx";

const nothing = (): void => {};
const AT = Date.UTC(2026, 10, 23, 3);

const job = (more: Partial<Job> = {}): Job =>
  createFakeJob({
    agent: fakeMain.id,
    owner: fakeOwner.id,
    name: "heartbeat",
    prompt: "",
    next: AT,
    schedule: { kind: "every", everyMs: 3_600_000, from: 0 },
    understood: "every 1h",
    ...more,
  });

const OFF = fieldsOf({ name: "Main", kind: "bot" });
const ON = { ...OFF, isOn: "yes" } as const;

test("fields show the record, and only changed fields are sent", () => {
  expect(OFF).toMatchObject({ isOn: "", every: "30m", from: "", timezone: "", money: "", always: "" });
  const heartbeat = {
    every: "2h",
    hours: { from: "08:00", to: "22:00" },
    budget: { money: 500_000, tokens: 9 },
    room: "den",
    always: true,
  };
  const fields = fieldsOf({ name: "Main", kind: "bot", heartbeat, timezone: "Asia/Tokyo" });
  expect(fields).toEqual({
    isOn: "yes",
    every: "2h",
    from: "08:00",
    to: "22:00",
    timezone: "Asia/Tokyo",
    money: "0.5",
    tokens: "9",
    room: "den",
    always: "yes",
  });
  expect(toHeartbeatPatch(fields, { every: "1h" })).toEqual({ heartbeat: { ...heartbeat, every: "1h" } });
  expect(toHeartbeatPatch(fields, { timezone: null })).toEqual({ timezone: null });
  const removals = { from: null, to: null, money: null, tokens: null, room: null, always: null };
  expect(toHeartbeatPatch(fields, removals)).toEqual({ heartbeat: { every: "2h" } });
  expect(toHeartbeatPatch(fields, { isOn: null, timezone: "Nowhere" })).toEqual({ heartbeat: null });
  expect(toHeartbeatPatch(OFF, { isOn: "yes", from: "8", to: "9.30" })).toEqual({
    heartbeat: { every: "30m", hours: { from: "08:00", to: "09:30" } },
  });
});

test("invalid fields show an error, and the house accepts valid ones", () => {
  const errorsOf = (change: object) => checkHeartbeat({ ...ON, ...change });
  expect(errorsOf({})).toEqual({});
  for (const every of ["", "often", "30", "-5m"]) expect(errorsOf({ every }).every).toContain("Enter an interval");
  expect(errorsOf({ every: "5s" })).toEqual({ every: "Enter at least 10s." });
  expect(errorsOf({ from: "08:00" })).toEqual({ to: "Enter an end time, or leave both empty." });
  expect(errorsOf({ to: "08:00" })).toEqual({ from: "Enter a start time, or leave both empty." });
  expect(errorsOf({ from: "24:00", to: "8:60" })).toEqual({
    from: "Enter a time of day, such as 08:00.",
    to: "Enter a time of day, such as 08:00.",
  });
  expect(errorsOf({ from: "8", to: "08:00" }).to).toContain("The end equals the start");
  expect(errorsOf({ timezone: "Mars" }).timezone).toContain("Unknown time zone");
  expect(errorsOf({ money: "much", tokens: "1.5" })).toEqual({
    money: "Enter an amount, such as 2.50.",
    tokens: "Enter a whole number.",
  });
  expect(checkHeartbeat({ ...OFF, every: "often" })).toEqual({});
  for (const hours of [{}, { from: "22", to: "6:30" }, { from: "0:00", to: "24:00" }]) {
    const fields = { ...ON, ...hours, money: "0,5" };
    expect(checkHeartbeat(fields)).toEqual({});
    expect(Heartbeat.safeParse(toHeartbeatPatch(OFF, fields).heartbeat).success).toBe(true);
  }
});

test("the next check is within the active hours, and an impossible schedule says so", () => {
  const hours = { from: "08:00", to: "22:00" };
  expect(describeNext(job(), undefined, "UTC")).toEqual({
    text: `Next check, in your time zone: ${formatSlotTime(AT)}.`,
    isTrouble: false,
  });
  expect(describeNext(job(), hours, "UTC").text).toBe(
    `Next check, in your time zone: ${formatSlotTime(AT + 5 * 3_600_000)}. Active hours: 08:00 to 22:00 (UTC).`,
  );
  const daily = { kind: "every", everyMs: 86_400_000, from: 0 } as const;
  expect(describeNext(job({ schedule: daily }), hours, "UTC")).toMatchObject({ isTrouble: true });
  expect(describeNext(job({ schedule: daily }), hours, "Asia/Tokyo").isTrouble).toBe(false);
  const { next: _, ...withoutNext } = job();
  expect(describeNext({ ...withoutNext, status: "paused" }, hours, "UTC").text).toContain("until you resume it");
  const last = {
    slot: AT,
    through: AT,
    count: 1,
    fate: "failed",
    reason: "The key was refused.",
    byHand: false,
  } as const;
  expect(describeNext({ ...withoutNext, status: "halted", last }, hours, "UTC")).toEqual({
    text: "Stopped after repeated failures. The key was refused. Fix the cause, then resume.",
    isTrouble: true,
  });
});

test("the first time within the active hours is found for every interval", () => {
  const utc = (text: string): number => Date.parse(`${text}Z`);
  const HOUR = 3_600_000;
  const hours = { from: "08:00", to: "22:00" } as const;
  const first = (at: string, every: number): string | undefined => {
    const found = findFirstActive(hours, utc(`2026-01-01T${at}`), every, "UTC");
    return found === undefined ? undefined : new Date(found).toISOString().slice(8, 16);
  };
  expect([first("08:00", HOUR), first("21:59", HOUR), first("22:10", HOUR)]).toEqual([
    "01T08:00",
    "01T21:59",
    "02T08:10",
  ]);
  expect(first("22:00", 10_000)).toBe("02T08:00");
  expect(first("03:00", 5 * HOUR)).toBe("01T08:00");
  // It is due once a day, outside of these hours.
  expect(first("03:00", 24 * HOUR)).toBeUndefined();
});

test("the form shows all fields only while the heartbeat is on, and its job has buttons", () => {
  const draw = (content: object): string =>
    renderUi(<HeartbeatForm agent={createFakeAgent(2, "Main", content)} onChange={nothing} />);
  expect(textOf(draw({}))).toMatch(/^Check in regularly .* Save$/);
  expect(textOf(draw({}))).not.toContain("Interval");
  expect(draw({ heartbeat: { every: "45m" } })).toContain('value="45m"');
  const shown = textOf(renderUi(<HeartbeatState agent={fakeMain} job={job()} onChange={nothing} />));
  expect(shown).toMatch(/^Next check, in your time zone: .* Run now Pause/);
  expect(shown).not.toContain("Delete job");
});

test("only admins see the page, and only agents that run in this house have one", () => {
  const show = (path: string, ui = createFakeUi()): string => textAt(path, <AutomationsPage />, ui);
  expect(show("/automations/main/heartbeat")).toMatch(
    /^Heartbeat of Main Settings of Main .*HEARTBEAT\.md.*View automations/,
  );
  expect(show("/automations/main")).toContain("View heartbeat");
  expect(show("/automations/ada/heartbeat")).toContain("Ada cannot have a heartbeat here");
  const reader = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  expect(show("/automations/main/heartbeat", reader)).toContain("Only admins of this house can open this page");
});
