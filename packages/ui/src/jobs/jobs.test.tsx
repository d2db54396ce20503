import { expect, test } from "bun:test";
import { ActivationId, HearthError, type Job } from "@hearth/protocol";
import { createFakeJob, createFakeSlot, FAKE_SLOT_AT } from "@hearth/protocol/job-fake";
import { createFakeAgent, createFakeMe, createFakeUi, fakeMain, fakeOwner } from "../house/fake-ui.tsx";
import { renderUi, textAt, textOf } from "../rooms/fake-view.tsx";
import { checkDraft, draftOf, fieldOfRefusal, NEW_DRAFT, previewOf, toAddJob, toPatchJob } from "./job-draft.ts";
import { JobDetail } from "./job-detail.tsx";
import { SlotList } from "./job-slots.tsx";
import { describeFailures, describeFate, formatSlotTime } from "./job-words.ts";
import { AutomationsPage } from "./automations-page.tsx";
import { Automations } from "./automation-table.tsx";
import { filterAutomations, titleOf } from "./automations.ts";

const nothing = (): void => {};

const job = (more: Partial<Job> = {}): Job => createFakeJob({ agent: fakeMain.id, owner: fakeOwner.id, ...more });

const showPage = (path: string, ui = createFakeUi()): string => textAt(path, <AutomationsPage />, ui);

test("only admins see the page, and only agents that run in this house have one", () => {
  expect(showPage("/automations")).toMatch(/^Automations Jobs, heartbeats and webhooks/);
  expect(showPage("/automations/main")).toMatch(
    /^Automations of Main Settings of Main View heartbeat View all automations/,
  );
  const reader = createFakeUi({ houseSnapshot: { me: createFakeMe("w") } });
  for (const path of ["/automations", "/automations/main"]) {
    expect(showPage(path, reader)).toContain("Only admins of this house can open this page");
    expect(showPage(path, reader)).not.toContain("New job");
  }
  expect(showPage("/automations/ada")).toContain("Ada cannot have jobs here");
  const elsewhere = createFakeAgent(2, "Main", { runs: "elsewhere" });
  expect(
    showPage("/automations", createFakeUi({ houseSnapshot: { agents: new Map([[elsewhere.id, elsewhere]]) } })),
  ).toContain("No agent can have jobs yet");
});

test("the table of one agent has no column and no filter for agents, and file errors show their lines", () => {
  const list = {
    jobs: [
      job({ last: createFakeSlot({ fate: "failed" }), failures: 3 }),
      job({ name: "tea", status: "halted" }),
      job({ name: "bins" }),
      job({ name: "plants" }),
    ],
    mistakes: [{ line: 8, name: "two", message: "\u202ebad" }],
  };
  const draw = (isOfOne: boolean): string =>
    renderUi(<Automations lists={[{ agent: fakeMain, list }]} isOfOne={isOfOne} onAdd={nothing} reload={nothing} />);
  const text = textOf(draw(true));
  expect(text).toContain("Line 8, two: ‹U+202E›bad");
  expect(text).toContain("Edit file");
  expect(text).toContain("News every weekday at 09:00 (UTC) Job Active Last 3 runs failed Last: Failed");
  expect(text).toContain("Stopped after repeated failures");
  expect(text).toContain("Select Tea ");
  expect(text).not.toMatch(/Agent|Main/);
  expect(textOf(draw(false))).toMatch(/Agent All Main .* Select Tea · Main/);
  const none = renderUi(
    <Automations lists={[{ agent: fakeMain, list: { jobs: [], mistakes: [] } }]} onAdd={nothing} reload={nothing} />,
  );
  expect(textOf(none)).toContain("No automations");
  expect(none).not.toContain("<select");
});

test("an empty list offers the first job, and only a longer list has filters", () => {
  const show = (count: number, path = "/automations", error?: HearthError): string => {
    const jobs = Array.from({ length: count }, (_, index) => job({ name: `job-${index}` }));
    const one = error === undefined ? { agent: fakeMain, list: { jobs, mistakes: [] } } : { agent: fakeMain, error };
    return textAt(path, <Automations lists={[one]} onAdd={nothing} reload={nothing} />);
  };
  expect(show(0)).toMatch(/^No automations A job wakes an agent .* New job$/);
  expect(show(3)).toMatch(/^New job .* Job 0/);
  expect(show(3)).not.toContain("Kind All");
  expect(show(4)).toContain("Agent All Main Kind All");
  // A list that could not be read may have jobs.
  expect(show(0, "/automations", new HearthError("store.unavailable", "The disk is full."))).not.toContain(
    "No automations",
  );
});

test("an expanded job has its buttons; a heartbeat links to its settings", () => {
  const draw = (more: Partial<Job>) =>
    textOf(renderUi(<JobDetail agent={fakeMain} job={job(more)} onChange={nothing} />));
  expect(draw({ prompt: "a\u202eb" })).toMatch(
    /^a U\+202E b Runs on behalf of Ada, .* Run now Pause Edit Delete job Webhook Trigger this job/,
  );
  expect(draw({ hook: "/hooks/jobs/hook_1" })).toContain("/hooks/jobs/hook_1 Replace key Turn webhook off");
  expect(draw({ status: "halted" })).toContain("Run now Resume");
  const heartbeat = draw({ name: "heartbeat" });
  expect(heartbeat).toContain("Run now Pause Edit check-in schedule Run history");
  expect(heartbeat).not.toContain("Webhook");
});

test("each run shows its outcome and reason; a run without an activation does not expand", () => {
  const activation = ActivationId.parse(`act_${"0".repeat(26)}`);
  const { endedAt: _, ...unfinished } = createFakeSlot({ activation });
  expect(describeFate(unfinished)).toBe("Running");
  expect(describeFate(createFakeSlot({ fate: "merged", count: 719 }))).toBe("Merged into a later run, 719 times");
  const html = renderUi(
    <SlotList
      slots={[unfinished, createFakeSlot({ slot: FAKE_SLOT_AT + 1, fate: "missed", reason: "No\u202ebody" })]}
    />,
  );
  expect(html.match(/<button/g)).toHaveLength(1);
  expect(textOf(html)).toMatch(/Running On time\. .* Missed No‹U\+202E›body/);
  expect(textOf(renderUi(<SlotList slots={[]} />))).toBe("No runs yet");
  expect([0, 1, 2].map((failures) => describeFailures({ failures }))).toEqual([
    undefined,
    undefined,
    "Last 2 runs failed",
  ]);
});

test("a new job sends all fields, an edit sends changed fields, an emptied field is removed", () => {
  const typed = {
    ...NEW_DRAFT,
    name: " news ",
    prompt: "What?",
    time: " every day at 9 ",
    room: "den",
    until: "2027-01-01",
  };
  expect(toAddJob(typed)).toEqual({
    name: "news",
    prompt: "What?",
    when: "every day at 9",
    until: "2027-01-01",
    room: "den",
    context: "isolated",
    catchUp: "once",
  });
  const before = draftOf(job({ room: "den", until: FAKE_SLOT_AT }), "UTC");
  expect(before).toMatchObject({ timing: "cron", time: "0 9 * * 1-5", zone: "UTC", until: "2026-11-23T09:00Z" });
  expect(toPatchJob(before, before)).toEqual({});
  expect(toPatchJob({ ...before, room: "", until: "", timing: "every", time: "2h", catchUp: "all" }, before)).toEqual({
    room: null,
    until: null,
    every: "2h",
    catchUp: "all",
  });
  expect(previewOf({ ...before, time: " " })).toBeUndefined();
  expect(previewOf(before)).toEqual({ cron: "0 9 * * 1-5", zone: "UTC", until: "2026-11-23T09:00Z" });
  // An end of a day is shown as the date, in the job's or the agent's time zone.
  const end = Date.UTC(2026, 10, 23) - 1;
  expect(draftOf(job({ until: end }), "Asia/Tokyo").until).toBe("2026-11-22");
  expect(draftOf(job({ until: end + 30_000 }), "UTC").until).toBe("2026-11-23T00:00:29.999Z");
  const every = job({ schedule: { kind: "every", everyMs: 5_400_000, from: 0 }, understood: "every 1h30m" });
  expect(draftOf(every, "UTC")).toMatchObject({ timing: "every", time: "1h30m", zone: "" });
  const once = job({ schedule: { kind: "once", at: FAKE_SLOT_AT + 1500 }, understood: "once" });
  expect(draftOf({ ...every, until: end - 9 * 3_600_000 }, "Asia/Tokyo").until).toBe("2026-11-22");
  expect(draftOf(once, "UTC")).toMatchObject({ timing: "once", time: "2026-11-23T09:00:01.500Z" });
});

test("a validation error appears beside the field whose value it names", () => {
  const draft = { ...NEW_DRAFT, time: "soon", zone: "Mars", until: "later" };
  expect(fieldOfRefusal('There is no time zone "Mars".', draft)).toBe("zone");
  expect(fieldOfRefusal('"later" is not a date and time.', draft)).toBe("until");
  expect(fieldOfRefusal('"soon" is not a time that Hearth understands.', draft)).toBe("time");
  expect(fieldOfRefusal('"" is not a time that Hearth understands.', NEW_DRAFT)).toBe("time");
});

test("missing fields are reported before the house is asked", () => {
  expect(Object.keys(checkDraft(NEW_DRAFT))).toEqual(["prompt", "time"]);
  expect(checkDraft({ ...NEW_DRAFT, prompt: "x", time: "daily" })).toEqual({});
  expect(checkDraft({ ...NEW_DRAFT, name: "…", prompt: "x", time: "daily" }).name).toContain("letters from a to z");
});

const rows = [
  job({ name: "morning-news" }),
  job({ name: "build", hook: "/hooks/jobs/hook_1", status: "paused" }),
  job({ name: "heartbeat", last: createFakeSlot({ fate: "failed" }) }),
];

test("one table has jobs, heartbeats and webhooks with titles for people; a failed list hides no other", () => {
  const lists = [
    { agent: fakeMain, list: { jobs: rows, mistakes: [{ line: 8, message: "bad" }] } },
    { agent: createFakeAgent(3, "Scout"), error: new HearthError("store.unavailable", "The disk is full.") },
  ];
  const html = renderUi(<Automations lists={lists} onAdd={nothing} reload={nothing} />);
  const text = textOf(html);
  expect(text).toContain("cron/jobs.toml has errors. The other jobs run. Line 8: bad");
  expect(text).toContain("The disk is full.");
  expect(text).toContain(`Morning news every weekday at 09:00 (UTC) Main Job Active ${formatSlotTime(FAKE_SLOT_AT)}`);
  expect(text).toContain("Main Job with webhook Paused");
  expect(text).toContain("Main Heartbeat Active Last: Failed");
  expect(html.match(/<input type="checkbox"/g)).toHaveLength(4);
  const empty = [{ agent: fakeMain, list: { jobs: [], mistakes: [] } }];
  expect(textOf(renderUi(<Automations lists={empty} onAdd={nothing} reload={nothing} />))).toContain("No automations");
});

test("filters by agent, kind and state combine", () => {
  const scout = createFakeAgent(3, "Scout");
  const all = [...rows.map((row) => ({ agent: fakeMain, job: row })), { agent: scout, job: job({ name: "tea" }) }];
  const names = (filters: Partial<Parameters<typeof filterAutomations>[1]>): readonly string[] =>
    filterAutomations(all, { agent: "", kind: "", state: "", ...filters }).map(titleOf);
  expect(names({})).toEqual(["Morning news", "Build", "Heartbeat", "Tea"]);
  expect(names({ agent: "scout" })).toEqual(["Tea"]);
  expect(names({ kind: "webhook" })).toEqual(["Build"]);
  expect(names({ kind: "job", state: "active" })).toEqual(["Morning news", "Tea"]);
  expect(names({ kind: "heartbeat", state: "paused" })).toEqual([]);
});
