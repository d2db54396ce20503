/** Adds a pending approval to a fake house. */
import type { Approval } from "@hearth/protocol";
import type { FakeHouse } from "../fakes/fake-house.ts";

/** Appends the approval's event to its room and serves its routes. */
export const addPendingApproval = (house: FakeHouse, approval: Approval): void => {
  const { id, room, agent, activation, what } = approval;
  house.answer(`GET /api/approvals/${id}`, approval);
  house.answer(`POST /api/approvals/${id}`, { ...approval, state: "allowed" });
  house.streams.append(`room:${room}`, {
    type: "approval-asked",
    room,
    at: 1,
    approval: id,
    agent,
    activation,
    tool: what.name,
  });
};
