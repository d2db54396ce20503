/** The job form: fields of a job, requests and errors. */
import { expect, test } from "bun:test";
import type { Job } from "@hearth/protocol";
import { checkDraft, draftOf, fieldOfRefusal, NEW_DRAFT, previewOf, toAddJob, toPatchJob } from "./job-draft.ts";

const job = (more: object): Job =>
  ({ name: "news", prompt: "Read.", context: "isolated", catchUp: "once", understood: "", ...more }) as unknown as Job;
const once = { kind: "once", at: Date.UTC(2026, 2, 4, 12, 30) };

test("the fields of a job show its schedule", () => {
  const cron = { kind: "cron", cron: "0 8 * * *", zone: "Asia/Tokyo" };
  expect(draftOf(job({ schedule: cron, room: "hall" }), "UTC")).toMatchObject({
    ...{ timing: "cron", time: "0 8 * * *", zone: "Asia/Tokyo", room: "hall", until: "" },
  });
  expect(draftOf(job({ schedule: once }), "UTC")).toMatchObject({
    timing: "once",
    time: "2026-03-04T12:30Z",
    zone: "",
  });
  expect(draftOf(job({ schedule: { kind: "every" }, understood: "every 2 hours" }), "UTC").time).toBe("2 hours");
});

test("an end is a date if it is the end of a day in the job's zone", () => {
  const until = (at: number, zone: string) => draftOf(job({ schedule: once, until: at }), zone).until;
  const midnight = Date.UTC(2026, 2, 5);
  expect(until(midnight - 1, "UTC")).toBe("2026-03-04");
  expect(until(midnight, "UTC")).toBe("2026-03-05T00:00Z");
  expect(until(midnight + 999, "UTC")).toBe("2026-03-05T00:00:00.999Z");
  expect(until(midnight - 1, "Asia/Tokyo")).toBe("2026-03-04T23:59:59.999Z");
  expect(until(midnight + 5 * 3_600_000 - 1, "UTC")).toBe("2026-03-05T04:59:59.999Z");
  const cron = { kind: "cron", cron: "0 8 * * *", zone: "UTC" };
  expect(draftOf(job({ schedule: cron, until: midnight - 1 }), "Asia/Tokyo").until).toBe("2026-03-04");
});

test("a request has only fields with a value", () => {
  expect(previewOf({ ...NEW_DRAFT, time: " " })).toBeUndefined();
  expect(previewOf({ ...NEW_DRAFT, time: " daily " })).toEqual({ when: "daily" });
  const full = { ...NEW_DRAFT, timing: "cron", time: "x", zone: "UTC", until: "2026-03-04" } as const;
  expect(previewOf(full)).toEqual({ cron: "x", zone: "UTC", until: "2026-03-04" });
  const added = { name: "news", prompt: "Read.", context: "isolated", catchUp: "once", when: "daily" } as const;
  const draft = { ...NEW_DRAFT, name: " news ", prompt: "Read.", time: "daily" };
  expect(toAddJob(draft)).toEqual(added);
  expect(toAddJob({ ...draft, room: "hall" })).toEqual({ ...added, room: "hall" });
});

test("a patch has only what changed, and removes emptied fields", () => {
  const before = { ...NEW_DRAFT, prompt: "Read.", time: "daily", zone: "UTC", room: "hall", until: "2026-03-04" };
  expect(toPatchJob(before, before)).toEqual({});
  const changes = { prompt: "Write.", time: " weekly ", catchUp: "skip", room: "", zone: "Asia/Tokyo" } as const;
  expect<unknown>(toPatchJob({ ...before, ...changes }, before)).toEqual({
    ...{ prompt: "Write.", when: "weekly", catchUp: "skip", room: null, zone: "Asia/Tokyo" },
  });
  expect(toPatchJob({ ...before, timing: "every" }, before)).toEqual({ every: "daily" });
  expect(toPatchJob({ ...before, context: "room" as never, until: "" }, before)).toEqual({
    ...{ context: "room" as never, until: null },
  });
});

test("each missing field has its error", () => {
  expect(Object.keys(checkDraft(NEW_DRAFT))).toEqual(["prompt", "time"]);
  const draft = { ...NEW_DRAFT, name: " news-1 ", prompt: "Read.", time: "daily" };
  expect(checkDraft(draft)).toEqual({});
  for (const name of ["-", "日本"]) expect(checkDraft({ ...draft, name })).toHaveProperty("name");
  expect(checkDraft({ ...draft, name: "", prompt: "日本" })).toHaveProperty("name");
  for (const name of ["a", ""]) expect(checkDraft({ ...draft, name })).toEqual({});
});

test("a name is written in lowercase letters, digits and dashes, and begins the prompt if none is typed", () => {
  const nameOf = (name: string, prompt = "Read."): string =>
    toAddJob({ ...NEW_DRAFT, name, prompt, time: "daily" }).name;
  expect(["news-1", " Café  News! ", "-a-", "日本 2"].map((name) => nameOf(name))).toEqual([
    ...["news-1", "cafe-news", "a", "2"],
  ]);
  expect(nameOf(`${"a".repeat(63)} b`)).toBe("a".repeat(63));
  expect(nameOf(" ", " What is\nnew, and where today?")).toBe("what-is-new-and");
});

test("a refusal is shown at the field whose value it names", () => {
  const draft = { ...NEW_DRAFT, zone: "Mars", until: "never" };
  const texts = ['Unknown zone "Mars".', 'Unknown time "never".', 'Unknown time "often".', "Mars"];
  expect(texts.map((text) => fieldOfRefusal(text, draft))).toEqual(["zone", "until", "time", "time"]);
  expect(fieldOfRefusal('Empty: ""', NEW_DRAFT)).toBe("time");
});
