import { describe, expect, test } from "bun:test";
import type { Activation, ActivationId, LiveEvent } from "@hearth/protocol";
import { createActivity } from "./activity.ts";

const ID = "act_1" as ActivationId;

const live = (type: string, more: object = {}): LiveEvent =>
  ({ type, at: 100, activation: ID, agent: "agent_1", cause: "evt_1", ...more }) as never;
const listed = (state: string): Activation =>
  ({ id: ID, agent: "agent_1", cause: "evt_1", state, createdAt: 90 }) as never;

describe("an activation", () => {
  test("that is over is not live again, whichever source is late", () => {
    const over = [
      (activity: ReturnType<typeof createActivity>) => activity.replied(ID),
      (activity: ReturnType<typeof createActivity>) => activity.forget(ID),
      (activity: ReturnType<typeof createActivity>) => activity.list([listed("replied")]),
      (activity: ReturnType<typeof createActivity>) => activity.list([listed("failed")]),
      (activity: ReturnType<typeof createActivity>) => activity.takeLive(live("activation-over", { state: "replied" })),
    ];
    for (const end of over) {
      const activity = createActivity();
      end(activity);
      activity.takeLive(live("activation-queued"));
      activity.takeLive(live("activation-running"));
      activity.list([listed("running")]);
      expect(activity.live()).toEqual([]);
    }
  });

  test("that runs is not queued again by a list that is late", () => {
    const activity = createActivity();
    activity.takeLive(live("activation-running"));
    activity.list([listed("queued")]);
    expect(activity.live()).toMatchObject([{ state: "running", since: 100 }]);
  });

  test("that was over before the room was opened does not wait for a reply that is further back", () => {
    for (const [openedAt, count] of [
      [101, 0],
      [100, 1],
    ] as const) {
      const activity = createActivity();
      activity.openedAt(openedAt);
      activity.takeLive(live("activation-running"));
      activity.takeLive(live("activation-over", { state: "replied" }));
      expect(activity.live()).toHaveLength(count);
    }
  });

  test("that waits for a silence, or came to nothing before it began, is shown only to whom it is owed", () => {
    const said = [{ id: "evt_1", offset: 1, isDeleted: false }] as never;
    const ended = (more: object): number => {
      const activity = createActivity();
      activity.list([{ ...listed("skipped"), ...more }]);
      return activity.ended(said).length;
    };
    expect([ended({}), ended({ skip: "admission" })]).toEqual([1, 1]);
    for (const skip of ["cooldown", "relevance", "depth", "replies"]) expect(ended({ skip })).toBe(0);
    const activity = createActivity();
    activity.list([{ ...listed("queued"), readyAt: 3000 }]);
    expect(activity.live()).toEqual([]);
    activity.takeLive(live("activation-running"));
    expect(activity.live()).toHaveLength(1);
  });

  test("whose end wants more words is named once", () => {
    const activity = createActivity();
    expect(activity.takeLive(live("activation-over", { state: "stopped" }))).toBe(ID);
    activity.list([listed("stopped")]);
    expect(activity.takeLive(live("activation-over", { state: "stopped" }))).toBeUndefined();
  });
});

describe("an activation that is tried again", () => {
  const message = { id: "evt_1", offset: 1, isDeleted: false } as never;

  test("by itself says when", () => {
    const activity = createActivity();
    activity.takeLive(live("activation-running"));
    activity.takeLive(live("activation-queued", { at: 110, retryAt: 500 }));
    expect(activity.live()).toMatchObject([{ state: "queued", retryAt: 500 }]);
    activity.takeLive(live("activation-running", { at: 510 }));
    expect(activity.live()).toMatchObject([{ state: "running", retryAt: undefined }]);
  });

  test("by a person is shown in place of the one that failed", () => {
    const activity = createActivity();
    activity.list([listed("failed")]);
    expect(activity.ended([message])).toHaveLength(1);
    activity.takeLive(live("activation-queued", { activation: "act_2" }));
    expect(activity.ended([message])).toEqual([]);
    const later = createActivity();
    later.list([{ ...listed("failed"), retriedBy: "act_2" as never }]);
    expect(later.ended([message])).toEqual([]);
  });
});
