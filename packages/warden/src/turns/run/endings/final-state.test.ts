import { expect, test } from "bun:test";
import { ActivationId, type Attachment, type RoomRecord } from "@hearth/protocol";
import type { Row } from "../../../kernel/store/tables/tables.ts";
import { type Ended, type EndingActivation, finalReplyOf, toFinalState, toStopped } from "./final-state.ts";

const into = ActivationId.parse(`act_${"0".repeat(26)}`);
const ending = (outcome: Ended, more: Partial<EndingActivation> = {}): EndingActivation => ({
  row: { trigger: "direct" } as Row<"activations">,
  room: {} as RoomRecord,
  files: [],
  outcome,
  ...more,
});
const heartbeat = { row: { trigger: "heartbeat" } as Row<"activations"> };
const withFile = { files: [{} as Attachment] };
const stateOf = (outcome: Ended, more?: Partial<EndingActivation>) => toFinalState(ending(outcome, more)).state;

test("a reply needs a text or a file; a heartbeat's reply needs news or a file", () => {
  expect(stateOf({ kind: "reply", toolCalls: 0, text: "Hello" })).toBe("replied");
  expect(stateOf({ kind: "reply", toolCalls: 0, text: " \n" })).toBe("skipped");
  expect(stateOf({ kind: "reply", toolCalls: 0, text: "" }, withFile)).toBe("replied");
  expect(stateOf({ kind: "reply", toolCalls: 0, text: "HEARTBEAT_OK" })).toBe("replied");
  expect(stateOf({ kind: "reply", toolCalls: 0, text: "HEARTBEAT_OK" }, heartbeat)).toBe("skipped");
  expect(stateOf({ kind: "reply", toolCalls: 0, text: "The post is here." }, heartbeat)).toBe("replied");
  expect(stateOf({ kind: "reply", toolCalls: 0, text: "HEARTBEAT_OK" }, { ...heartbeat, ...withFile })).toBe("replied");
});

test("every end but a reply has a reason", () => {
  const error = { code: "provider.auth", message: "The key was refused." } as const;
  expect(toFinalState(ending({ kind: "failed", error }))).toEqual({ state: "failed", reason: error.message, error });
  expect(toFinalState(ending({ kind: "stopped" }))).toEqual({ state: "stopped", reason: "It was stopped." });
  expect(toFinalState(ending({ kind: "stopped", reason: "Paused." }))).toEqual({ state: "stopped", reason: "Paused." });
  expect(toFinalState(ending({ kind: "reply", toolCalls: 0, text: "" })).reason).toBe("The agent had nothing to say.");
});

test("in a removed room every activation is skipped, unless another one answers its message", () => {
  const removed = { room: undefined };
  expect(toFinalState(ending({ kind: "reply", toolCalls: 0, text: "Hello" }, removed))).toEqual({
    state: "skipped",
    reason: "The room was removed.",
  });
  const merged = { state: "skipped", reason: "Another activation answers its message.", mergedInto: into } as const;
  expect(toFinalState(ending({ kind: "merged", into }, removed))).toEqual(merged);
  expect(toFinalState(ending({ kind: "merged", into }))).toEqual(merged);
});

test("only a reply and the partial reply of a stopped activation are messages", () => {
  const partial = { text: "I will" };
  expect(finalReplyOf({ kind: "reply", toolCalls: 0, text: "Hello" }, "replied")?.text).toBe("Hello");
  expect(finalReplyOf({ kind: "reply", toolCalls: 0, text: "Hello" }, "skipped")).toBeUndefined();
  expect(finalReplyOf({ kind: "stopped", partial }, "stopped")).toEqual(partial);
  expect(finalReplyOf({ kind: "stopped", partial }, "skipped")).toBeUndefined();
  expect(finalReplyOf({ kind: "stopped" }, "stopped")).toBeUndefined();
});

test("a stop keeps the partial reply if a person stopped the activation, and yields to an earlier end", () => {
  const partial = { text: "I will" };
  expect(toStopped({ partial })).toEqual({ kind: "stopped", partial });
  expect(toStopped({ partial }, { kind: "stopped" })).toEqual({ kind: "stopped", partial });
  const closed: Ended = { kind: "stopped", reason: "The house closes." };
  expect(toStopped({ partial }, closed)).toEqual(closed);
  expect(toStopped({ partial }, { kind: "merged", into })).toEqual({ kind: "merged", into });
});
