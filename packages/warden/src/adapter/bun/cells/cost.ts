/**
 * A separate program for `hearth bench cells`: measures the cost of a frame and of a command in a
 * warm cell. Usage: cost.ts KIND FOLDER. It opens a cell as the daemon does, plays the warden of
 * one activation, and prints a `CellCost` as a line of JSON, or `{"skipped": why}`.
 */
import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import {
  ActivationId,
  AgentId,
  BackendKind,
  DEFAULT_CELL_LIMITS,
  type FrameScope,
  InmateFrame,
  RoomId,
  SessionId,
  type WardenFrameBody,
} from "@hearth/protocol";
import type { Cell } from "../../../cells/backend.ts";
import { createBunWorld } from "../world.ts";
import { createBackendTable } from "./table.ts";
import { createLog } from "../../../kernel/log/log.ts";

/** Measured times in milliseconds, one per run. */
export interface CellCost {
  /** From an incoming frame to its answer. */
  readonly echo: readonly number[];
  /** From the verdict that allows `true` in the shell to its end. */
  readonly shell: readonly number[];
  /** The same command in the same shell, outside any cell. */
  readonly bare: readonly number[];
}

const WARM_UP_RUN_COUNT = 20;
const MEASURED_RUN_COUNT = 200;
const COMMAND = "true";

const ID = "0".repeat(26);
const scope: FrameScope = {
  agent: AgentId.parse(`agent_${ID}`),
  room: RoomId.parse(`room_${ID}`),
  person: AgentId.parse(`agent_${ID}`),
  session: SessionId.parse(`ses_${ID}`),
  activation: ActivationId.parse(`act_${ID}`),
};

const measure = async (cell: Cell): Promise<CellCost> => {
  const echo: number[] = [];
  const shell: number[] = [];
  const bare: number[] = [];
  const frames = cell.link.frames[Symbol.asyncIterator]();
  let count = 0;
  const send = (body: WardenFrameBody): void => {
    count += 1;
    cell.link.send({ ...body, id: count, at: 0 });
  };
  const readFrame = async (type: InmateFrame["type"]): Promise<number> => {
    const { value, done } = await frames.next();
    if (done === true) throw new Error(`the cell has ended: ${(await cell.exited) ?? "closed"}`);
    const frame = InmateFrame.parse(value);
    if (frame.type !== type) throw new Error(`a ${frame.type} came in place of a ${type}`);
    return "step" in frame ? frame.step : 0;
  };

  await readFrame("hello");
  send({
    type: "activate",
    ...scope,
    input: {
      agent: { name: "-", handle: "nobody" },
      room: { name: "-", kind: "direct" },
      house: { name: "-" },
      parts: [],
      history: [{ role: "user", text: "-" }],
      tools: ["shell"],
      maxRounds: MEASURED_RUN_COUNT + WARM_UP_RUN_COUNT + 1,
    },
  });
  let step = await readFrame("model-request");
  for (let run = -WARM_UP_RUN_COUNT; run < MEASURED_RUN_COUNT; run += 1) {
    const call = { id: `call-${step}`, name: "shell", input: { command: COMMAND } };
    const requestedAt = performance.now();
    send({
      type: "model-result",
      ...scope,
      step,
      result: { message: { role: "assistant", text: "", toolCalls: [call] } },
    });
    const requestedStep = await readFrame("step-request");
    const allowedAt = performance.now();
    const result = { verdict: "run", timeoutMs: 60_000, key: "-", again: false } as const;
    send({ type: "step-result", ...scope, step: requestedStep, result });
    await readFrame("step-done");
    const doneAt = performance.now();
    step = await readFrame("model-request");
    const startedAt = performance.now();
    await Bun.spawn(["/bin/sh", "-c", COMMAND], { env: {}, stdio: ["ignore", "pipe", "pipe"] }).exited;
    const endedAt = performance.now();
    if (run < 0) continue;
    echo.push(allowedAt - requestedAt);
    shell.push(doneAt - allowedAt);
    bare.push(endedAt - startedAt);
  }
  return { echo, shell, bare };
};

const main = async (kind: BackendKind, folder: string): Promise<CellCost | { readonly skipped: string }> => {
  const backend = createBackendTable({
    world: createBunWorld(),
    log: createLog({ now: Date.now, level: "warn", sink: { write: (line) => console.error(line) } }),
    folder: join(folder, "cache"),
  })[kind];
  if (backend === undefined) return { skipped: `unknown cell kind ${kind}` };
  const { ok, why } = await backend.probe();
  if (!ok) return { skipped: why ?? "it does not work here" };
  const brain = join(folder, "brain");
  await mkdir(join(brain, "workspace"), { recursive: true });
  const workspace = await realpath(join(brain, "workspace"));
  const cell = await backend.open({
    agent: scope.agent,
    audience: "private",
    brain,
    hidden: [],
    workspace,
    limits: DEFAULT_CELL_LIMITS,
  });
  try {
    return await measure(cell);
  } finally {
    await cell.close();
  }
};

const [kind, folder] = process.argv.slice(2);
if (kind === undefined || folder === undefined) throw new Error("usage: cost.ts KIND FOLDER");
console.log(JSON.stringify(await main(BackendKind.parse(kind), folder)));
process.exit(0);
