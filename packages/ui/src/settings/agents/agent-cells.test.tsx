import { expect, test } from "bun:test";
import { type CellInfo, DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createFakeAgent, createFakeUi, fakeEntry, fakeMain } from "../../house/fake-ui.tsx";
import { UiProvider } from "../../house/ui.tsx";
import { AgentCells, CellRows } from "./agent-cells.tsx";
import { checkLimit, limitFields, applyLimitChanges, describeWalls } from "./cell-words.ts";

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
  limits: DEFAULT_CELL_LIMITS,
  pid: 7,
  openedAt: 0,
  activations: ["a", "b"],
  ...more,
});
const rows = (...cells: readonly CellInfo[]): string =>
  draw(<CellRows agent={fakeMain} cells={cells} onChanged={() => {}} />);

test("each open sandbox shows its audience, kind, isolation, limits and runs", () => {
  const markup = rows(
    cell(),
    cell({ audience: `room:${fakeEntry.room.id}`, walls: [], activations: [] }),
    cell({ audience: "room:elsewhere", activations: ["a"] }),
  );
  for (const words of [
    ">Private<",
    "bubblewrap, container",
    "Isolation: files, network, processes",
    "Limits: 1024 MiB of memory, 256 processes, 1 CPU, 1024 MiB per file, 4096 MiB in total",
    "2 active runs",
    ">Room Main<",
    "No isolation",
    "No active runs",
    ">A room you cannot see<",
    "1 active run",
    'aria-label="Close sandbox: Private"',
  ])
    expect(markup).toContain(words);
  expect(markup).not.toContain("Open sandbox");
});

test("without a private sandbox one can be opened", () => {
  expect(rows()).toMatch(/No open sandboxes[^]*Open sandbox/);
  expect(rows(cell({ audience: `room:${fakeEntry.room.id}` }))).toContain("Open sandbox");
});

test("the form shows the record's own kind and limits, and leaves defaults empty", () => {
  const agent = createFakeAgent(2, "Main", { cell: "qemu", limits: { memoryMiB: 512 } });
  const markup = draw(<AgentCells agent={agent} onChange={() => {}} />);
  expect(markup).toMatch(/<option value="qemu" selected="">Virtual machine/);
  expect(markup).toContain('value="512"');
  expect(markup.match(/placeholder="Default"[^>]*value=""/g)).toHaveLength(4);
  expect(draw(<AgentCells agent={fakeMain} onChange={() => {}} />)).toContain('<option value="" selected="">');
});

test("limits are validated as numbers; an emptied field returns to the default", () => {
  const [memory, , cpus] = limitFields;
  expect([checkLimit(memory, ""), checkLimit(memory, "512"), checkLimit(cpus, "0.5")]).toEqual(
    Array(3).fill(undefined),
  );
  for (const text of ["much", "1.5", "12", "Infinity"])
    expect(checkLimit(memory, text)).toBe("Enter a whole number of at least 256.");
  expect(checkLimit(cpus, "0")).toBe("Enter a number of at least 0.1.");
  expect(applyLimitChanges({ memoryMiB: 512, cpus: 2 }, { memoryMiB: null, diskMiB: "64" })).toEqual({
    cpus: 2,
    diskMiB: 64,
  });
  expect(applyLimitChanges({ memoryMiB: 512 }, { memoryMiB: null })).toBeNull();
  expect(describeWalls({ walls: ["memory", "cpu", "kernel"] })).toBe("Isolation: memory, CPU, kernel");
});
