/** Approvals for tests. A test sets only the fields it needs. */
import { ActivationId, type Approval, ApprovalId } from "@hearth/protocol";
import { fakeEntry, fakeHouse, fakeMain, fakeOwner } from "../house/fake-ui.tsx";

const id = (prefix: string, count: number): string => `${prefix}_${count.toString().padStart(26, "0")}`;
export const approvalId = (count: number): ApprovalId => ApprovalId.parse(id("apr", count));

/** Creates the approval number `count`. */
export const createFakeApproval = (count: number, overrides: Partial<Approval> = {}): Approval => ({
  id: approvalId(count),
  house: fakeHouse.id,
  agent: fakeMain.id,
  room: fakeEntry.room.id,
  activation: ActivationId.parse(id("act", count)),
  step: 1,
  person: fakeOwner.id,
  what: { kind: "tool", name: "shell", input: '{"command":"ls"}', hash: "0" },
  asks: [{ stage: "mode", text: "It asks before it does this.", fields: [] }],
  display: 'shell\n  command: "ls"',
  offers: [{ scope: "once", text: "This call, once." }],
  state: "pending",
  createdAt: count * 1000,
  expiresAt: 90_000_000,
  ...overrides,
});
