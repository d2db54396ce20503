/** Messages and activations for tests: short to write, alike in everything that a test does not speak of. */
import type { EndedActivation, LiveActivation, PendingMessage, RoomMessage, RoomSnapshot } from "@hearth/client";
import { ActivationId, type ActivationPart, EventId } from "@hearth/protocol";
import { fakeMain, fakeOwner } from "../house/fake-ui.tsx";

const id = (prefix: string, count: number): string => `${prefix}_${count.toString().padStart(26, "0")}`;
export const eventId = (count: number): EventId => EventId.parse(id("evt", count));
export const activationId = (count: number): ActivationId => ActivationId.parse(id("act", count));

/** Noon of a Wednesday, where the test runs. */
export const NOON = new Date(2026, 2, 4, 12).getTime();
export const MINUTE = 60_000;

/** The n-th thing said, by the owner, n minutes after noon. */
export const createFakeMessage = (count: number, more: Partial<RoomMessage> = {}): RoomMessage => ({
  id: eventId(count),
  offset: count,
  author: fakeOwner.id,
  at: NOON + count * MINUTE,
  text: `message ${count}`,
  editedAt: undefined,
  isDeleted: false,
  isDamaged: false,
  isStopped: false,
  job: undefined,
  replyTo: undefined,
  causes: [],
  activation: undefined,
  toolCalls: 0,
  label: undefined,
  ...more,
});

export const createFakeReply = (count: number, more: Partial<RoomMessage> = {}): RoomMessage =>
  createFakeMessage(count, { author: fakeMain.id, activation: activationId(count), ...more });

export const createFakePending = (more: Partial<PendingMessage> = {}): PendingMessage => ({
  key: "key",
  text: "on its way",
  replyTo: undefined,
  at: NOON,
  state: "waiting",
  error: undefined,
  ...more,
});

export const createFakeLive = (more: Partial<LiveActivation> = {}): LiveActivation => ({
  id: activationId(1),
  agent: fakeMain.id,
  cause: eventId(1),
  state: "running",
  since: NOON,
  retryAt: undefined,
  parts: [],
  isStopping: false,
  ...more,
});

export const createFakeEnded = (more: Partial<EndedActivation> = {}): EndedActivation => ({
  id: activationId(1),
  agent: fakeMain.id,
  cause: eventId(1),
  state: "failed",
  at: NOON,
  reason: undefined,
  error: undefined,
  ...more,
});

type Tool = Extract<ActivationPart, { kind: "tool" }>;

export const createFakeTool = (more: Partial<Tool> = {}): Tool => ({
  kind: "tool",
  call: "call-1",
  name: "read",
  input: { path: "notes.md" },
  state: "done",
  ...more,
});

export const createFakeSnapshot = (more: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  state: { kind: "ready" },
  messages: [],
  hasOlder: false,
  isLoadingOlder: false,
  live: [],
  ended: [],
  pending: [],
  isCurrent: true,
  ...more,
});
