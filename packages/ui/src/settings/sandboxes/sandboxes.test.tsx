import { expect, test } from "bun:test";
import { AgentId, type CellInfo, DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import { createFakeUi, fakeMain } from "../../house/fake-ui.tsx";
import { renderUi } from "../../rooms/fake-view.tsx";
import { SandboxTable } from "./sandboxes-page.tsx";

const cell: CellInfo = {
  agent: fakeMain.id,
  audience: "private",
  backend: "bubblewrap",
  isolation: "container",
  walls: ["fs", "net"],
  limits: DEFAULT_CELL_LIMITS,
  openedAt: 0,
  activations: [],
};
const table = (cells: readonly CellInfo[]): string =>
  renderUi(<SandboxTable cells={cells} onChanged={() => {}} />, createFakeUi());

test("the table names the agent, the audience and the isolation of each open sandbox", () => {
  const markup = table([cell]);
  expect(markup).toContain("Main");
  expect(markup).toContain("Private");
  expect(markup).toContain("bubblewrap");
  expect(markup).toContain("Select Main · Private");
});

test("the table does not name agents and rooms that the user cannot see", () => {
  const hidden = AgentId.parse("agent_00000000000000000000000099");
  const markup = table([{ ...cell, agent: hidden, audience: "room:room_00000000000000000000000099" }]);
  expect(markup).toContain("An agent you cannot see");
  expect(markup).toContain("A room you cannot see");
});

test("without open sandboxes, the page says when one opens", () => {
  expect(table([])).toContain("A sandbox opens when an agent uses a tool.");
});
