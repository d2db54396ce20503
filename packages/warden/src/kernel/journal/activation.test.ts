import { describe, expect, test } from "bun:test";
import {
  type ActivationId,
  type ActivationState,
  type AgentId,
  type EventId,
  type InboxId,
  noUsage,
  type RoomId,
} from "@hearth/protocol";
import { Activation } from "@hearth/protocol/api";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { plainRow } from "../../fixtures/rows.ts";
import type { Row } from "../store/tables/tables.ts";
import {
  activationId,
  childActivation,
  hasEnded,
  isWaitingForQuiet,
  queueKeyOf,
  newActivation,
  retryActivation,
  toActivation,
} from "./activation.ts";

const id = (cause: string, agent: string) =>
  activationId(createBunWorld(), `evt_${cause}` as EventId, `agent_${agent}` as AgentId);
const idOf = (prefix: string, digit: string): string => `${prefix}_${digit.repeat(26)}`;

const actId = (digit: string) => idOf("act", digit) as ActivationId;

const MESSAGE = idOf("evt", "1") as EventId;
const ROOM = idOf("room", "1") as RoomId;
const queued = newActivation({
  world: createBunWorld(),
  message: {
    ...{ type: "message", id: MESSAGE, offset: 7, at: 1, room: ROOM, author: idOf("agent", "1") as AgentId },
    ...{ body: { format: "markdown", text: "hi" }, mentions: [], causes: [] },
  },
  agent: idOf("agent", "2") as AgentId,
  trigger: "mention",
  now: 5,
});

test("an activation's id is derived from its message and its agent, the same in every daemon", () => {
  expect(id("one", "main")).toBe(id("one", "main"));
  expect(id("one", "main")).not.toBe(id("two", "main"));
  expect(id("one", "main")).not.toBe(id("one", "other"));
});

describe("an activation as people see it", () => {
  test("omits what it does not have", () => {
    const activation = toActivation({ ...queued, root: null });
    expect(activation).toEqual({
      ...{ id: queued.id, agent: queued.agent, room: ROOM, trigger: "mention" },
      ...{ cause: MESSAGE, state: "queued", usage: noUsage, createdAt: 5, depth: 0 },
    });
    expect(Activation.parse(activation)).toEqual(activation);
  });

  test("has every column that is set", () => {
    const [parent, retry, host] = [actId("2"), actId("3"), actId("4")];
    const activation = toActivation(
      plainRow("activations", {
        ...{
          ...queued,
          reason: "stopped",
          skip: "no-model",
          parent,
          retried_by: retry,
          model: "m/x",
          merged_into: host,
        },
        ...{ started_at: 6, ended_at: 7, ready_at: 8, retry_at: 9 },
        error: JSON.stringify({ code: "provider.auth", message: "No key." }),
      }),
    );
    expect(activation).toMatchObject({
      ...{ reason: "stopped", skip: "no-model", parent, root: MESSAGE, retriedBy: retry, model: "m/x" },
      ...{ mergedInto: host, startedAt: 6, endedAt: 7, readyAt: 8, retryAt: 9 },
      error: { code: "provider.auth", message: "No key." },
    });
  });

  test("has a time when it begins or is tried again only until it is over", () => {
    const timesIn = (state: ActivationState) => {
      const { readyAt, retryAt } = toActivation({ ...queued, state, ready_at: 8, retry_at: 9 });
      return [readyAt, retryAt];
    };
    for (const state of ["queued", "running", "waiting"] as const)
      expect([state, ...timesIn(state)]).toEqual([state, 8, 9]);
    for (const state of ["replied", "failed", "stopped"] as const)
      expect([state, ...timesIn(state)]).toEqual([state, undefined, undefined]);
  });
});

test("an activation is over in every state but queued, running and waiting", () => {
  expect(["queued", "running", "waiting", "done", "failed", "stopped", "merged"].filter(hasEnded)).toEqual([
    ...["done", "failed", "stopped", "merged"],
  ]);
});

test("an ambient activation is quiet until it begins", () => {
  const quiet = (over: Partial<Row<"activations">>) => isWaitingForQuiet({ ...queued, ...over });
  expect([quiet({}), quiet({ ready_at: 1 }), quiet({ ready_at: 1, fence: 1 }), quiet({ fence: 1 })]).toEqual([
    ...[false, true, false, false],
  ]);
});

const child = childActivation({
  ...{ parent: { ...queued, depth: 2, state: "running", fence: 3 }, id: actId("5") },
  ...{ agent: idOf("agent", "3") as AgentId, inbox: "inbox_1" as InboxId, now: 9 },
});

test("a requested activation is one level deeper, for the same message, and has its own queue", () => {
  expect(child).toMatchObject({
    ...{ depth: 3, parent: queued.id, root: MESSAGE, cause: MESSAGE, cause_offset: 7, person: queued.person },
    ...{ state: "queued", fence: 0, trigger: "inbox", room: ROOM, created_at: 9, inbox: "inbox_1" },
  });
  expect([queueKeyOf(queued), queueKeyOf(child)]).toEqual([`${queued.agent} ${ROOM}`, child.id]);
});

test("a retry begins from the beginning, with an id derived from the failed activation", () => {
  const world = createBunWorld();
  const ended = { state: "failed", error: "{}", started_at: 6, ended_at: 7, fence: 4, crashes: 2, retries: 3 };
  const cleared = { retry_at: 9, model: "m/x", frozen: "{}", parked: "{}", skip: "no-model" };
  const failed = plainRow("activations", { ...queued, ...ended, ...cleared });
  const retried = retryActivation(world, failed, 20);
  expect(retried).toEqual({ ...queued, id: retried.id, created_at: 20 });
  expect(retried.id).toBe(retryActivation(world, failed, 30).id);
  expect(retried.id).not.toBe(failed.id);
});
