import { expect, test } from "bun:test";
import { type CellInfo, DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeAgent, createFakeUi, fakeEntry, fakeMain } from "../house/fake-ui.tsx";
import { UiProvider } from "../house/ui.tsx";
import { AgentCells, CellRows } from "./agent-cells.tsx";
import { checkLimit, limitFields, limitsAfter, tellWalls } from "./cell-words.ts";

const draw = (content: ReactNode): string =>
  renderToStaticMarkup(<UiProvider value={createFakeUi()}>{content}</UiProvider>);
const cell = (more: Partial<CellInfo> = {}): CellInfo => ({
  ...{
    agent: fakeMain.id,
    audience: "private",
    backend: "bubblewrap",
    isolation: "container",
    walls: ["fs", "net", "pids"],
  },
  ...{ limits: DEFAULT_CELL_LIMITS, pid: 7, openedAt: 0, activations: ["a", "b"] },
  ...more,
});
const rows = (...cells: readonly CellInfo[]): string =>
  draw(<CellRows agent={fakeMain} cells={cells} onChanged={() => {}} />);

test("each open cell says whose it is, what it is, what holds, what it may use up and what runs", () => {
  const markup = rows(
    cell(),
    cell({ audience: `room:${fakeEntry.room.id}`, walls: [], activations: [] }),
    cell({ audience: "room:elsewhere", activations: ["a"] }),
  );
  for (const words of [
    ">Private<",
    "bubblewrap, a world of its own on the host&#x27;s kernel",
    "Walls that hold: files, network, processes",
    "At most 1024 MiB of memory, 256 processes, 1 CPU, 1024 MiB a file, 4096 MiB in all",
    "2 turns run",
    ">Room Main<",
    "No wall holds",
    "Nothing runs",
    ">A room that you do not see<",
    "One turn runs",
    'aria-label="End the cell: Private"',
  ])
    expect(markup).toContain(words);
  expect(markup).not.toContain("Open one");
});

test("where no private one is open, one can be opened", () => {
  expect(rows()).toMatch(/None is open\.[^]*Open one/);
  expect(rows(cell({ audience: `room:${fakeEntry.room.id}` }))).toContain("Open one");
});

test("the kind and the limits are the record's own, and what it leaves to the house is empty", () => {
  const agent = createFakeAgent(2, "Main", { cell: "qemu", limits: { memoryMiB: 512 } });
  const markup = draw(<AgentCells agent={agent} onChange={() => {}} />);
  expect(markup).toMatch(/<option value="qemu" selected="">A virtual machine/);
  expect(markup).toContain('value="512"');
  expect(markup.match(/placeholder="As the house says"[^>]*value=""/g)).toHaveLength(4);
  expect(draw(<AgentCells agent={fakeMain} onChange={() => {}} />)).toContain('<option value="" selected="">');
});

test("limits are numbers within reason; emptied ones are the house's again", () => {
  const [memory, , cpus] = limitFields;
  expect([checkLimit(memory, ""), checkLimit(memory, "512"), checkLimit(cpus, "0.5")]).toEqual(
    Array(3).fill(undefined),
  );
  for (const text of ["much", "1.5", "12", "Infinity"])
    expect(checkLimit(memory, text)).toBe("Write a whole number from 256 on.");
  expect(checkLimit(cpus, "0")).toBe("Write a number from 0.1 on.");
  expect(limitsAfter({ memoryMiB: 512, cpus: 2 }, { memoryMiB: null, diskMiB: "64" })).toEqual({
    cpus: 2,
    diskMiB: 64,
  });
  expect(limitsAfter({ memoryMiB: 512 }, { memoryMiB: null })).toBeNull();
  expect(tellWalls({ walls: ["memory", "cpu", "kernel"] })).toBe("Walls that hold: memory, CPU, kernel");
});
