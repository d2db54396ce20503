/** The requests and the output of `hearth restore`. */
import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import { localTime } from "../show/time.ts";

const commands = commandsForEach();
const { hearth, json } = commands;

const id = (prefix: string, count: number): string => `${prefix}_${String(count).padStart(26, "0")}`;
const nothing = { activations: [], messages: [], deliveries: [], jobs: [], approvals: [] };
const state = (over: object = {}) => ({ onHold: true, findings: [], work: nothing, ...over });

describe("a restored house", () => {
  test("that is not on hold is shown in one line", async () => {
    commands.house.answer("GET /api/restore", state({ onHold: false }));
    expect(await hearth("restore", "show")).toEqual({ code: 0, out: "The house is not on hold.\n", err: "" });
  });

  test("on hold is shown with its reasons and each kind of queued work", async () => {
    const agent = commands.house.main.id;
    const call = { step: 1, name: "http_fetch", startedAt: 1 };
    const turn = { agent, room: id("room", 1), state: "queued", createdAt: 5_000 };
    const shown = state({
      findings: [{ id: "f", kind: "behind", detail: "The audit log is behind.", foundAt: 1 }],
      work: {
        activations: [
          { ...turn, id: id("act", 1), inDoubt: [] },
          { ...turn, id: id("act", 2), inDoubt: [call, { ...call, name: "shell" }] },
        ],
        messages: [{ room: id("room", 1), unread: 3 }],
        deliveries: [{ id: "out_1", channel: "tele", conversation: "c", state: "unknown", createdAt: 6_000 }],
        jobs: [{ agent, name: "backup", dueAt: 7_000 }],
        approvals: [{ id: id("apr", 1), agent, name: "shell", state: "allowed" }],
      },
    });
    commands.house.answer("GET /api/restore", shown);
    const { out, err } = await hearth("restore", "show");
    const cells = out.split("\n").map((line) => line.trim().split(/ {2,}/));
    expect(cells).toEqual([
      ["The house is on hold: it runs no turns, sends no deliveries and fires no jobs."],
      ["The audit log is behind."],
      ["WHAT", "ID", "STATE", "SINCE", "DETAIL"],
      ["turn", id("act", 1), "queued", localTime(5_000)],
      ["turn", id("act", 2), "queued", localTime(5_000), "may have been done: http_fetch, shell"],
      ["messages", id("room", 1), "unread", "3"],
      ["delivery", "out_1", "unknown", localTime(6_000), "tele"],
      ["job", "backup", "due", localTime(7_000), agent],
      ["approval", id("apr", 1), "allowed", "shell"],
      [""],
    ]);
    expect(err).toContain("hearth restore continue");
    expect(await json("restore", "show")).toEqual(shown);
  });

  test("on hold without queued work says so", async () => {
    commands.house.answer("GET /api/restore", state());
    expect(Object.values(await hearth("restore", "show")).join()).toContain("Nothing is queued.");
  });

  test.each([
    ["continue", "The hold has ended. The house does the queued work.\n"],
    ["discard", "The hold has ended. The queued work was discarded.\n"],
  ])("takes the decision to %s", async (decision, out) => {
    const done = state({ onHold: false });
    commands.house.answer("POST /api/restore", done);
    expect(await hearth("restore", decision)).toEqual({ code: 0, out, err: "" });
    expect(await json("restore", decision)).toEqual(done);
    expect(commands.house.asked).toEqual(Array(2).fill(`POST /api/restore {"decision":"${decision}"}`));
  });
});
