import { describe, expect, test } from "bun:test";
import type { Activation, ActivationId, LiveEvent } from "@hearth/protocol";
import { createActivity } from "./activity.ts";

const ID = "act_1" as ActivationId;

const live = (type: string, more: object = {}): LiveEvent =>
  ({ type, at: 100, activation: ID, agent: "agent_1", cause: "evt_1", ...more }) as never;
const listed = (state: string): Activation =>
  ({ id: ID, agent: "agent_1", cause: "evt_1", state, createdAt: 90 }) as never;

describe("an activation", () => {
  test("that is over is never live again, whichever source is late", () => {
    const over = [
      (activity: ReturnType<typeof createActivity>) => activity.markReplied(ID),
      (activity: ReturnType<typeof createActivity>) => activity.forget(ID),
      (activity: ReturnType<typeof createActivity>) => activity.list([listed("replied")]),
      (activity: ReturnType<typeof createActivity>) => activity.list([listed("failed")]),
      (activity: ReturnType<typeof createActivity>) =>
        activity.applyLiveEvent(live("activation-over", { state: "replied" })),
    ];
    for (const end of over) {
      const activity = createActivity();
      end(activity);
      activity.applyLiveEvent(live("activation-queued"));
      activity.applyLiveEvent(live("activation-running"));
      activity.list([listed("running")]);
      expect(activity.liveActivations()).toEqual([]);
    }
  });

  test("that runs is not shown as queued by a late list", () => {
    const activity = createActivity();
    activity.applyLiveEvent(live("activation-running"));
    activity.list([listed("queued")]);
    expect(activity.liveActivations()).toMatchObject([{ state: "running", since: 100 }]);
  });

  test("that was over before the room was opened does not wait for a reply on an older page", () => {
    for (const [openedAt, count] of [
      [101, 0],
      [100, 1],
    ] as const) {
      const activity = createActivity();
      activity.setOpenedAt(openedAt);
      activity.applyLiveEvent(live("activation-running"));
      activity.applyLiveEvent(live("activation-over", { state: "replied" }));
      expect(activity.liveActivations()).toHaveLength(count);
    }
  });

  test("that waits for a silence, or was skipped before it began, is shown only if a reply is owed", () => {
    const said = [{ id: "evt_1", offset: 1, isDeleted: false }] as never;
    const ended = (more: object): number => {
      const activity = createActivity();
      activity.list([{ ...listed("skipped"), ...more }]);
      return activity.endedActivations(said).length;
    };
    expect([ended({}), ended({ skip: "admission" })]).toEqual([1, 1]);
    for (const skip of ["cooldown", "relevance", "depth", "replies"]) expect(ended({ skip })).toBe(0);
    const activity = createActivity();
    activity.list([{ ...listed("queued"), readyAt: 3000 }]);
    expect(activity.liveActivations()).toEqual([]);
    activity.applyLiveEvent(live("activation-running"));
    expect(activity.liveActivations()).toHaveLength(1);
  });

  test("that was stopped is not listed as ended once its partial reply is in the room", () => {
    const cause = { id: "evt_1", offset: 1, isDeleted: false };
    const partial = { id: "evt_2", offset: 2, isDeleted: false, activation: ID };
    const activity = createActivity();
    activity.list([listed("stopped")]);
    expect(activity.endedActivations([cause] as never)).toHaveLength(1);
    expect(activity.endedActivations([cause, partial] as never)).toEqual([]);
  });

  test("whose end needs details from the house is returned once", () => {
    const activity = createActivity();
    expect(activity.applyLiveEvent(live("activation-over", { state: "stopped" }))).toBe(ID);
    activity.list([listed("stopped")]);
    expect(activity.applyLiveEvent(live("activation-over", { state: "stopped" }))).toBeUndefined();
  });
});

describe("an activation that is tried again", () => {
  const message = { id: "evt_1", offset: 1, isDeleted: false } as never;

  test("automatically has a retry time", () => {
    const activity = createActivity();
    activity.applyLiveEvent(live("activation-running"));
    activity.applyLiveEvent(live("activation-queued", { at: 110, retryAt: 500 }));
    expect(activity.liveActivations()).toMatchObject([{ state: "queued", retryAt: 500 }]);
    activity.applyLiveEvent(live("activation-running", { at: 510 }));
    expect(activity.liveActivations()).toMatchObject([{ state: "running", retryAt: undefined }]);
  });

  test("by a person is no longer shown as failed", () => {
    const activity = createActivity();
    activity.list([listed("failed")]);
    expect(activity.endedActivations([message])).toHaveLength(1);
    activity.list([{ ...listed("failed"), retriedBy: "act_2" as never }]);
    expect(activity.endedActivations([message])).toEqual([]);
  });
});
