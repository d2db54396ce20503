import { describe, expect, test } from "bun:test";
import { noUsage } from "@hearth/protocol";
import { commandsForEach } from "../fakes/fake-command-line.ts";
import { fakeStatus } from "../fakes/fake-house.ts";
import { localTime } from "../show/time.ts";

const own = commandsForEach();
const { hearth, json } = own;

describe("STOP", () => {
  const at = 1_000_000;
  const hold = () => ({ scope: own.house.main.id, by: own.house.owner.id, at });
  const all = () => ({ scope: "house", by: own.house.owner.id, at });
  const since = localTime(at);
  /** A waiting message for Main. */
  const leaveWaiting = (): void => {
    own.house.answer(`GET /api/agents/${own.house.main.id}/activations`, [
      {
        id: `act_${"0".repeat(26)}`,
        agent: own.house.main.id,
        room: own.house.directRoom(own.house.main).id,
        ...{
          trigger: "direct",
          cause: `evt_${"0".repeat(26)}`,
          state: "queued",
          usage: noUsage,
          depth: 0,
          createdAt: 1,
        },
      },
    ]);
  };

  test("of one agent stops it, and prints the waiting messages and the command to resume", async () => {
    own.house.answer(`POST /api/agents/${own.house.main.id}/stop`, hold());
    leaveWaiting();
    expect(await hearth("agent", "stop", "main")).toEqual({
      code: 0,
      out: "@main is stopped; 1 message waits\n",
      err: "To resume: hearth agent resume main\n",
    });
    expect(await json("agent", "stop", "main")).toEqual({ ...hold(), waiting: 1 });
  });

  test("of one agent ends, and the output mentions a stop of all agents that is still in force", async () => {
    own.house.answer(`POST /api/agents/${own.house.main.id}/resume`, { resumed: true });
    expect(await hearth("agent", "resume", "main")).toEqual({ code: 0, out: "@main is resumed\n", err: "" });
    own.house.answer(`POST /api/agents/${own.house.main.id}/resume`, { resumed: false });
    own.house.answer("GET /api/stops", [all()]);
    expect(await hearth("agent", "resume", "main")).toEqual({
      code: 0,
      out: "@main was not stopped individually\n",
      err: "All agents are still stopped. To resume them: hearth resume-all\n",
    });
    expect(await json("agent", "resume", "main")).toEqual({ resumed: false, stopped: true });
  });

  test("is for bots: a person is refused", async () => {
    own.house.addAgent({ name: "Ada", kind: "human" });
    for (const verb of ["stop", "resume"]) {
      const { code, err } = await hearth("agent", verb, "ada");
      expect([code, err.split("\n")[0]]).toEqual([2, "hearth: Ada is a person; only bots can be stopped and resumed."]);
    }
    expect(own.house.requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  });

  test("shows in the list of agents, in the agent's details and in the status", async () => {
    own.house.answer("GET /api/stops", [hold(), all()]);
    own.house.answer("GET /api/status", fakeStatus);
    leaveWaiting();
    own.house.addAgent({ name: "Other", kind: "bot" });
    const { out } = await hearth("agent", "list");
    expect(out).toEndWith(
      `@main is stopped by Owner since ${since}, 1 message waits\n` +
        `@other is stopped with all agents by Owner since ${since}, no message waits\n`,
    );
    expect((await hearth("agent", "show", "main")).out).toContain(
      `state      stopped by Owner since ${since}, 1 message waits\n`,
    );
    expect((await hearth("status")).out).toContain(
      `stopped      @main by Owner since ${since}, until: hearth agent resume main; all agents by Owner since ${since}, until: hearth resume-all\n`,
    );
    expect(await json("status")).toEqual({ ...fakeStatus, stops: [hold(), all()] });
    expect(await json("agent", "show", "main")).toMatchObject({ stopped: { ...hold(), name: "Owner", waiting: 1 } });
    expect(await json("agent", "list")).toMatchObject([
      {},
      { handle: "main", stopped: { waiting: 1 } },
      { stopped: all() },
    ]);
  });

  test("of all agents starts and ends, and agents stopped individually are named", async () => {
    own.house.answer("POST /api/stop-all", all());
    expect(await hearth("stop-all")).toEqual({
      code: 0,
      out: "all agents are stopped\n",
      err: "Messages are queued. To resume: hearth resume-all\n",
    });
    expect(await json("stop-all")).toEqual(all());
    own.house.answer("POST /api/resume-all", { resumed: true });
    own.house.answer("GET /api/stops", [hold()]);
    expect(await hearth("resume-all")).toEqual({
      code: 0,
      out: "all agents are resumed\n",
      err: "@main was stopped individually and stays stopped. To resume: hearth agent resume main\n",
    });
    own.house.answer("POST /api/resume-all", { resumed: false });
    expect((await hearth("resume-all")).out).toBe("stop-all was not in effect\n");
    expect(await json("resume-all")).toEqual({ resumed: false, stopped: [own.house.main.id] });
  });

  test("of agents and of the daemon are distinguished in each command's help", async () => {
    const help = async (...words: string[]): Promise<string> => (await hearth(...words, "--help")).out;
    expect(await help("stop")).toMatch(/hearth agent stop AGENT, or hearth stop-all/);
    expect(await help("stop-all")).toMatch(/hearth agent stop AGENT\. .* to stop it: hearth stop/);
    expect(await help("agent", "stop")).toMatch(/hearth stop-all[^]*hearth stop$/m);
  });
});
