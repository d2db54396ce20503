/** The cell commands against a fake house. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type CellInfo, DEFAULT_CELL_LIMITS } from "@hearth/protocol";
import { openFakeHouse, runAt } from "../fakes/fake-command-line.ts";
import type { FakeHouse } from "../fakes/fake-house.ts";

let house: FakeHouse;
beforeEach(async () => {
  house = await openFakeHouse();
});
afterEach(() => house.close());

const hearth = (...words: string[]) => runAt(house, words);
/** The body of the last request that starts with this text. */
const sent = (start: string): unknown => {
  const request = house.requests.findLast((line) => line.startsWith(start)) ?? `${start} null`;
  return JSON.parse(request.slice(start.length + 1));
};
const cell = (more: Partial<CellInfo> = {}): CellInfo => ({
  agent: house.main.id,
  audience: "private",
  backend: "bubblewrap",
  isolation: "container",
  walls: ["fs", "net"],
  limits: DEFAULT_CELL_LIMITS,
  pid: 4711,
  openedAt: 0,
  activations: [],
  ...more,
});

test("cells are listed with their agent, isolation, limits and running commands", async () => {
  const kitchen = house.addRoom({ name: "Kitchen", kind: "group" });
  const bare = cell({
    audience: `room:${kitchen.id}`,
    backend: "process",
    isolation: "process",
    walls: [],
    activations: ["act_1"],
  });
  const { pid: _, ...without } = bare;
  house.answer("GET /api/cells", [cell(), without]);
  const lines = (await hearth("cell", "list")).out.split("\n");
  expect(lines[1]).toMatch(
    /^@main +private +bubblewrap \(process 4711\) +container +fs net +1024 MiB, 256 processes, 1 CPU, files 1024 MiB, disk 4096 MiB +.* +nothing$/,
  );
  expect(lines[2]).toMatch(/^@main +room kitchen +process +process +none +.* +act_1$/);
  expect(JSON.parse((await hearth("cell", "list", "--json")).out)).toEqual([cell(), without]);
  const other = house.addAgent({ name: "Other", kind: "bot" });
  expect((await hearth("cell", "list", "--agent", other.handle)).err).toContain("No cell is open.");
});

test("a cell is opened for a room, by default the direct room", async () => {
  const path = `/api/agents/${house.main.id}/cells`;
  house.answer(`POST ${path}`, cell());
  expect((await hearth("cell", "open", "main", "kitchen")).out).toBe(
    "a cell of @main is open: bubblewrap (process 4711), isolation: fs net\n",
  );
  expect(sent(`POST ${path}`)).toEqual({ room: "kitchen" });
  expect(JSON.parse((await hearth("cell", "open", "@main", "--json")).out)).toEqual(cell());
  expect(sent(`POST ${path}`)).toEqual({ room: house.directRoom(house.main).id });
});

test("cells are closed: all cells of an agent, or the one for an audience", async () => {
  const kitchen = house.addRoom({ name: "Kitchen", kind: "group" });
  house.answer(`DELETE /api/agents/${house.main.id}/cells`, { closed: 1 });
  expect((await hearth("cell", "close", "main")).out).toBe("1 cell of @main closed\n");
  expect(house.queries.at(-1)).toEqual({});
  expect((await hearth("cell", "close", "main", "--for", "kitchen", "--json")).out).toContain('"closed":1');
  expect(house.queries.at(-1)).toEqual({ audience: `room:${kitchen.id}` });
  await hearth("cell", "close", "main", "--for", "private");
  expect(house.queries.at(-1)).toEqual({ audience: "private" });
  const gone = kitchen.id.replaceAll("0", "1");
  await hearth("cell", "close", "main", "--for", gone);
  expect(house.queries.at(-1)).toEqual({ audience: `room:${gone}` });
  expect((await hearth("cell", "close", "main", "--for", "attic")).code).not.toBe(0);
});

test("an agent's cell backend and limits are changed one by one", async () => {
  const edit = async (...flags: string[]) => {
    const { code, err } = await hearth("agent", "edit", "main", ...flags);
    return code === 0
      ? JSON.parse((house.requests.findLast((line) => line.startsWith("PATCH")) ?? "").replace(/^\S+ \S+ /, "")).content
      : err;
  };
  expect(await edit("--cell", "strongest", "--memory", "512", "--processes", "64")).toEqual({
    cell: "strongest",
    limits: { memoryMiB: 512, processes: 64 },
  });
  expect(await edit("--cpus", "0.5", "--file-size", "10", "--disk", "100", "--processes", "")).toEqual({
    limits: { memoryMiB: 512, cpus: 0.5, fileMiB: 10, diskMiB: 100 },
  });
  expect((await hearth("agent", "show", "main")).out).toMatch(
    /^cell +strongest, memory 512 MiB, CPU 0.5, files 10 MiB, disk 100 MiB$/m,
  );
  expect(await edit("--memory", "", "--cpus", "", "--file-size", "", "--disk", "")).toEqual({ limits: null });
  expect(await edit("--memory", "much")).toContain('--memory takes a number, not "much".');
  expect(await edit("--cell", "castle")).toContain("castle");
});
