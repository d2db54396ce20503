/** Messages and runs for tests. A test sets only the fields it needs. */
import type { EndedActivation, LiveActivation, PendingMessage, RoomMessage, RoomSnapshot } from "@hearth/client";
import { ActivationId, type ActivationPart, EventId } from "@hearth/protocol";
import { fakeMain, fakeOwner } from "../house/fake-ui.tsx";

const id = (prefix: string, count: number): string => `${prefix}_${count.toString().padStart(26, "0")}`;
export const eventId = (count: number): EventId => EventId.parse(id("evt", count));
export const activationId = (count: number): ActivationId => ActivationId.parse(id("act", count));

/** Noon on a Wednesday, in the time zone of the test. */
export const NOON = new Date(2026, 2, 4, 12).getTime();
export const MINUTE = 60_000;

/** Creates message number `count` of the owner, sent `count` minutes after noon. */
export const createFakeMessage = (count: number, overrides: Partial<RoomMessage> = {}): RoomMessage => ({
  id: eventId(count),
  offset: count,
  author: fakeOwner.id,
  at: NOON + count * MINUTE,
  text: `message ${count}`,
  attachments: [],
  citations: [],
  reactions: [],
  editedAt: undefined,
  isDeleted: false,
  isDamaged: false,
  isStopped: false,
  job: undefined,
  copied: undefined,
  replyTo: undefined,
  causes: [],
  activation: undefined,
  toolCalls: 0,
  spokenFor: [],
  label: undefined,
  ...overrides,
});

export const createFakeReply = (count: number, overrides: Partial<RoomMessage> = {}): RoomMessage =>
  createFakeMessage(count, { author: fakeMain.id, activation: activationId(count), ...overrides });

export const createFakePending = (overrides: Partial<PendingMessage> = {}): PendingMessage => ({
  key: "key",
  text: "sending",
  files: [],
  replyTo: undefined,
  at: NOON,
  state: "waiting",
  error: undefined,
  ...overrides,
});

export const createFakeLive = (overrides: Partial<LiveActivation> = {}): LiveActivation => ({
  id: activationId(1),
  agent: fakeMain.id,
  cause: eventId(1),
  state: "running",
  since: NOON,
  retryAt: undefined,
  parts: [],
  isStopping: false,
  ...overrides,
});

export const createFakeEnded = (overrides: Partial<EndedActivation> = {}): EndedActivation => ({
  id: activationId(1),
  agent: fakeMain.id,
  cause: eventId(1),
  state: "failed",
  at: NOON,
  reason: undefined,
  error: undefined,
  ...overrides,
});

type Tool = Extract<ActivationPart, { kind: "tool" }>;

export const createFakeTool = (overrides: Partial<Tool> = {}): Tool => ({
  kind: "tool",
  call: "call-1",
  name: "read",
  input: { path: "notes.md" },
  state: "done",
  ...overrides,
});

export const createFakeSnapshot = (overrides: Partial<RoomSnapshot> = {}): RoomSnapshot => ({
  state: { kind: "ready" },
  messages: [],
  hasOlder: false,
  isLoadingOlder: false,
  live: [],
  ended: [],
  pending: [],
  isCurrent: true,
  ...overrides,
});
