/** A job and one of its slots, for tests of what shows them. */
import type { Job, JobSlot } from "./job.ts";

/** 23 November 2026, 09:00 UTC: the next slot of the job, and the time of the slot. */
export const FAKE_SLOT_AT: number = Date.UTC(2026, 10, 23, 9);

/** Creates a slot that ran on time. */
export const createFakeSlot = (overrides: Partial<JobSlot> = {}): JobSlot => ({
  slot: FAKE_SLOT_AT,
  through: FAKE_SLOT_AT,
  count: 1,
  fate: "fired",
  reason: "On time.",
  byHand: false,
  endedAt: FAKE_SLOT_AT,
  ...overrides,
});

/** Creates an active job on weekdays. The caller names its agent and its owner. */
export const createFakeJob = (overrides: Partial<Job> & Pick<Job, "agent" | "owner">): Job => ({
  name: "news",
  prompt: "What is new?",
  status: "active",
  next: FAKE_SLOT_AT,
  schedule: { kind: "cron", cron: "0 9 * * 1-5", zone: "UTC" },
  understood: "every weekday at 09:00 (UTC)",
  context: "isolated",
  catchUp: "once",
  failures: 0,
  ...overrides,
});
