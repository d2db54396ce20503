import { expect, test } from "bun:test";
import { Heartbeat, type Job } from "@hearth/protocol";
import { createFakeAgent, createFakeMe, createFakeUi, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { renderUi, textAt, textOf } from "../rooms/fake-view.tsx";
import { checkHeartbeat, fieldsOf, heartbeatPatch } from "./heartbeat-draft.ts";
import { HeartbeatForm } from "./heartbeat-form.tsx";
import { Standing } from "./heartbeat-page.tsx";
import { firstActive, tellNext } from "./heartbeat-words.ts";
import { tellTime } from "./job-words.ts";
import { JobsPage } from "./jobs-page.tsx";

const nothing = (): void => {};
const AT = Date.UTC(2026, 10, 23, 3);

const job = (more: Partial<Job> = {}): Job => ({
  ...{ agent: fakeMain.id, name: "heartbeat", prompt: "", owner: fakeOwner.id, status: "active", next: AT },
  ...{ schedule: { kind: "every", everyMs: 3_600_000, from: 0 }, understood: "every 1h" },
  ...{ context: "isolated", catchUp: "once", failures: 0 },
  ...more,
});

const OFF = fieldsOf({ name: "Main", kind: "bot" });
const ON = { ...OFF, isOn: "yes" } as const;

test("what the record says is what the fields hold, and what was not changed is not sent", () => {
  expect(OFF).toMatchObject({ isOn: "", every: "30m", from: "", timezone: "", money: "", always: "" });
  const heartbeat = {
    ...{ every: "2h", hours: { from: "08:00", to: "22:00" }, budget: { money: 500_000, tokens: 9 } },
    ...{ room: "den", always: true },
  };
  const fields = fieldsOf({ name: "Main", kind: "bot", heartbeat, timezone: "Asia/Tokyo" });
  expect(fields).toEqual({
    ...{ isOn: "yes", every: "2h", from: "08:00", to: "22:00", timezone: "Asia/Tokyo", money: "0.5", tokens: "9" },
    ...{ room: "den", always: "yes" },
  });
  expect(heartbeatPatch(fields, { every: "1h" })).toEqual({ heartbeat: { ...heartbeat, every: "1h" } });
  expect(heartbeatPatch(fields, { timezone: null })).toEqual({ timezone: null });
  expect(heartbeatPatch(fields, { from: null, to: null, money: null, tokens: null, room: null, always: null })).toEqual(
    {
      heartbeat: { every: "2h" },
    },
  );
  expect(heartbeatPatch(fields, { isOn: null, timezone: "Nowhere" })).toEqual({ heartbeat: null });
  expect(heartbeatPatch(OFF, { isOn: "yes", from: "8", to: "9.30" })).toEqual({
    heartbeat: { every: "30m", hours: { from: "08:00", to: "09:30" } },
  });
});

test("what is wrong is told beside its field, and what is right the house takes", () => {
  const wrong = (change: object) => checkHeartbeat({ ...ON, ...change });
  expect(wrong({})).toEqual({});
  for (const every of ["", "often", "30", "-5m"]) expect(wrong({ every }).every).toContain("Write a span of time");
  expect(wrong({ every: "5s" })).toEqual({ every: "At least 10s." });
  expect(wrong({ from: "08:00" })).toEqual({ to: "Say until when as well, or leave both empty." });
  expect(wrong({ to: "08:00" })).toEqual({ from: "Say from when as well, or leave both empty." });
  expect(wrong({ from: "24:00", to: "8:60" })).toEqual({
    ...{ from: "Write a time of the day, such as 08:00.", to: "Write a time of the day, such as 08:00." },
  });
  expect(wrong({ from: "8", to: "08:00" }).to).toContain("end when it begins");
  expect(wrong({ timezone: "Mars" }).timezone).toContain("no such time zone");
  expect(wrong({ money: "much", tokens: "1.5" })).toEqual({
    ...{ money: "Write an amount, such as 2.50.", tokens: "Write a whole number." },
  });
  expect(checkHeartbeat({ ...OFF, every: "often" })).toEqual({});
  for (const hours of [{}, { from: "22", to: "6:30" }, { from: "0:00", to: "24:00" }]) {
    const fields = { ...ON, ...hours, money: "0,5" };
    expect(checkHeartbeat(fields)).toEqual({});
    expect(Heartbeat.safeParse(heartbeatPatch(OFF, fields).heartbeat).success).toBe(true);
  }
});

test("its next look is within its hours, and one that never is says so", () => {
  const hours = { from: "08:00", to: "22:00" };
  expect(tellNext(job(), undefined, "UTC")).toEqual({
    ...{ text: `Next, by your clock: ${tellTime(AT)}.`, isTrouble: false },
  });
  expect(tellNext(job(), hours, "UTC").text).toBe(
    `Next, by your clock: ${tellTime(AT + 5 * 3_600_000)}. It looks from 08:00 to 22:00 (UTC).`,
  );
  const daily = { kind: "every", everyMs: 86_400_000, from: 0 } as const;
  expect(tellNext(job({ schedule: daily }), hours, "UTC")).toMatchObject({ isTrouble: true });
  expect(tellNext(job({ schedule: daily }), hours, "Asia/Tokyo").isTrouble).toBe(false);
  const { next: _, ...resting } = job();
  expect(tellNext({ ...resting, status: "paused" }, hours, "UTC").text).toContain("until somebody resumes it");
  const last = {
    slot: AT,
    through: AT,
    count: 1,
    fate: "failed",
    reason: "The key was refused.",
    byHand: false,
  } as const;
  expect(tellNext({ ...resting, status: "halted", last }, hours, "UTC")).toEqual({
    ...{ text: "It does not look any more. The key was refused. Mend that, and resume it.", isTrouble: true },
  });
});

test("the first time within the hours is found however short or long the interval is", () => {
  const utc = (text: string): number => Date.parse(`${text}Z`);
  const HOUR = 3_600_000;
  const hours = { from: "08:00", to: "22:00" } as const;
  const first = (at: string, every: number): string | undefined => {
    const found = firstActive(hours, utc(`2026-01-01T${at}`), every, "UTC");
    return found === undefined ? undefined : new Date(found).toISOString().slice(8, 16);
  };
  expect([first("08:00", HOUR), first("21:59", HOUR), first("22:10", HOUR)]).toEqual([
    "01T08:00",
    "01T21:59",
    "02T08:10",
  ]);
  expect(first("22:00", 10_000)).toBe("02T08:00");
  expect(first("03:00", 5 * HOUR)).toBe("01T08:00");
  // It comes once a day, and never then.
  expect(first("03:00", 24 * HOUR)).toBeUndefined();
});

test("the form shows more only where it is on, and its times have their buttons", () => {
  const draw = (content: object): string =>
    renderUi(<HeartbeatForm agent={createFakeAgent(2, "Main", content)} onChange={nothing} />);
  expect(textOf(draw({}))).toMatch(/^It looks by itself, again and again .* Save$/);
  expect(textOf(draw({}))).not.toContain("How often");
  expect(draw({ heartbeat: { every: "45m" } })).toContain('value="45m"');
  const standing = textOf(renderUi(<Standing agent={fakeMain} job={job()} onChange={nothing} />));
  expect(standing).toMatch(/^Next, by your clock: .* Run now Pause/);
  expect(standing).not.toContain("Cancel job");
});

test("its page is for who decides in the house, and for bots that run there", () => {
  const show = (path: string, ui = createFakeUi()): string => textAt(path, <JobsPage />, ui);
  expect(show("/jobs/main/heartbeat")).toMatch(/^Heartbeat of Main Settings of Main .*HEARTBEAT\.md.*See its jobs/);
  expect(show("/jobs/main")).toContain("See its heartbeat");
  expect(show("/jobs/ada/heartbeat")).toContain("Ada has no heartbeat here");
  const reader = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  expect(show("/jobs/main/heartbeat", reader)).toContain("This page is for those who decide");
});
