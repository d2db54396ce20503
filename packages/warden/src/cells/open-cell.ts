/**
 * Runs one cell from its opening to its end: boots an inmate, waits for its hello, reads its
 * frames, and ends its leases when the cell ends.
 */
import { type Log, observe } from "../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  type Audience,
  type CellInfo,
  type CellKind,
  type ByteStream,
  type CellLimits,
  type Clock,
  HearthError,
} from "@hearth/protocol";
import type { CellSpec } from "./backend.ts";
import type { Backends } from "./backends.ts";
import { ANSWER_DEADLINE_MS, createLiveness, MACHINE_ANSWER_DEADLINE_MS } from "./liveness.ts";
import { readInmate } from "./inmate-reader.ts";
import { createCellLeases, type CellLeases } from "./cell-leases.ts";

export interface OpenCell {
  readonly agent: AgentId;
  readonly audience: Audience;
  readonly cellLeases: CellLeases;
  readonly info: () => CellInfo;
  /**
   * Resolves when no process of the cell runs and all its leases have ended. `isAsked` says
   * whether the end was requested.
   */
  readonly ended: Promise<{ readonly isAsked: boolean; readonly livedMs: number }>;
  /**
   * Closes the cell. With `preempted`, another cell gets its slot, and paused leases continue in
   * another cell.
   */
  close(how?: "preempted"): Promise<void>;
}

/** The house's settings of cells. A change applies from the next lease on. */
export interface CellSettings {
  /** The kind of cell for agents that name no kind. */
  readonly kind: CellKind;
  /** The limits for agents that set none. */
  readonly limits: CellLimits;
  readonly idleMs: number;
  /** Maximum number of open cells. */
  readonly maxOpen: number;
}

/** The parts with which every cell of the house is opened. */
export interface CellParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly backends: Backends;
  readonly settings: () => CellSettings;
  /** Returns the part of the brain that a cell of the agent sees for that audience. */
  readonly viewFor: (
    agent: AgentRecord,
    audience: Audience,
  ) => Promise<Pick<CellSpec, "brain" | "hidden" | "workspace">>;
  /** Accepts the byte streams that an agent's cell opens. When absent, they are refused. */
  readonly streams?: (stream: ByteStream, from: { readonly agent: AgentId }) => void;
}

export interface OpenCellOptions extends CellParts {
  /** Called when the cell has become idle. */
  readonly onIdle: () => void;
}

/**
 * Maximum time for a backend to open a cell. Under load, it may have to build the inmate's program
 * or start a machine.
 */
const OPEN_TIMEOUT_MS = 300_000;
/** Maximum time for a backend to close a cell. A machine first copies its workspace back. */
const CLOSE_TIMEOUT_MS = 120_000;
/** Maximum time from the opening of a cell to its hello. */
const HELLO_TIMEOUT_MS = 10_000;
/** Maximum time in which a cell reports the reason after its link has ended. */
const EXIT_REASON_WAIT_MS = 1000;

/** Opens a cell. Throws `cell.unavailable` with the reason. */
export const openCell = async (options: OpenCellOptions, agent: AgentRecord, audience: Audience): Promise<OpenCell> => {
  const { clock, log } = options;
  const settings = options.settings();
  const { backend } = await options.backends.choose(agent.content.cell ?? settings.kind);
  const limits = { ...settings.limits, ...agent.content.limits };
  const opening = backend.open({
    agent: agent.id,
    audience,
    limits,
    ...(await options.viewFor(agent, audience)),
  });
  const cell = await withTimeout(clock, OPEN_TIMEOUT_MS, opening);
  if (cell === undefined) {
    // If the cell opens after its deadline, it is closed.
    opening.then((lateCell) => lateCell.close()).catch(() => undefined);
    throw new HearthError(
      "cell.unavailable",
      `The cell of ${agent.handle} (${backend.kind}) did not open within ${OPEN_TIMEOUT_MS / 1000} s.`,
      { hint: "Run: hearth doctor" },
    );
  }
  /**
   * The reason of the end. If a backend's cleanup rejects, against its contract, the cell still
   * ends here.
   */
  const exit = cell.exited.catch((error: unknown) => {
    log.write("error", "a cell's end could not be observed", { agent: agent.id, backend: backend.kind, error });
    return "its backend failed while it ended";
  });
  const closeCell = async (): Promise<void> => {
    const context = { agent: agent.id, backend: backend.kind };
    const closeResult = cell.close().then(
      () => true,
      (error: unknown) => {
        log.write("error", "a cell could not be closed", { ...context, error });
        return true;
      },
    );
    if ((await withTimeout(clock, CLOSE_TIMEOUT_MS, closeResult)) === undefined)
      log.write("error", "a cell did not close in time; its processes may still run", context);
  };
  /** The reason is already known if the cell closed in time. */
  const exitReason = async (): Promise<string | undefined> =>
    (await withTimeout(clock, EXIT_REASON_WAIT_MS, exit)) ?? undefined;
  const { streams } = options;
  if (streams !== undefined) cell.link.handleStreams((stream) => streams(stream, { agent: agent.id }));
  const openedAt = clock.now();
  const openedAtMonotonic = clock.monotonic();
  const helloReceived = Promise.withResolvers<boolean>();
  let requestedEnd: "asked" | "preempted" | undefined;
  /** The protocol violation that ended the cell. */
  let violation: string | undefined;
  let frameCount = 0;
  let isOver = false;

  const reportViolation = (why: string): void => {
    if (violation !== undefined || requestedEnd !== undefined || isOver) return;
    violation = why.replace(/\.$/, "");
    log.write("warn", "a cell broke its link", { agent: agent.id, backend: backend.kind, reason: why });
    observe(closeCell(), log, "a cell could not be closed", { agent: agent.id, backend: backend.kind });
  };

  const liveness = createLiveness({
    clock,
    ping: cell.link.ping,
    onFailure: reportViolation,
    deadlineMs: backend.traits.isolation === "vm" ? MACHINE_ANSWER_DEADLINE_MS : ANSWER_DEADLINE_MS,
  });
  const cellLeases = createCellLeases({
    onIdle() {
      liveness.end();
      options.onIdle();
    },
    onBusy: liveness.begin,
    reportViolation,
    openStream: cell.link.openStream,
    limits,
    send(body) {
      frameCount += 1;
      cell.link.send({ ...body, id: frameCount, at: clock.now() });
    },
  });

  const read = async (): Promise<void> => {
    try {
      await readInmate({ link: cell.link, cellLeases, clock, onHello: () => helloReceived.resolve(true) });
    } catch (error) {
      reportViolation(error instanceof Error ? error.message : "its link broke");
    }
  };

  const watch = async (): Promise<{ readonly isAsked: boolean; readonly livedMs: number }> => {
    await read();
    liveness.end();
    isOver = violation === undefined;
    // The link has ended, so the cell is unusable even if its process lives on.
    const endController = new AbortController();
    const abortWait = (): void => endController.abort();
    exit.then(abortWait, abortWait);
    if (violation === undefined && requestedEnd === undefined)
      await clock.sleep(EXIT_REASON_WAIT_MS, endController.signal);
    await closeCell();
    const why = violation ?? (await exitReason()) ?? "it was closed";
    const livedMs = clock.monotonic() - openedAtMonotonic;
    helloReceived.resolve(false);
    const cellLost = new HearthError("cell.lost", `The cell ended: ${why}.`, { hint: "Send your message again." });
    cellLeases.end(cellLost, requestedEnd === "preempted" ? requestedEnd : undefined);
    return { isAsked: requestedEnd !== undefined, livedMs };
  };
  const ended = watch();

  const close = async (how?: "preempted"): Promise<void> => {
    requestedEnd ??= how ?? "asked";
    await closeCell();
    await ended;
  };

  const helloController = new AbortController();
  const hasSentHello = await Promise.race([
    helloReceived.promise,
    clock.sleep(HELLO_TIMEOUT_MS, helloController.signal).then(() => false),
  ]);
  helloController.abort();
  if (!hasSentHello) {
    await closeCell();
    await ended;
    const why = violation ?? (await exitReason()) ?? "it sent no hello in time";
    throw new HearthError("cell.unavailable", `The cell of ${agent.handle} (${backend.kind}) did not start: ${why}.`, {
      hint: "Run: hearth doctor",
    });
  }
  return {
    agent: agent.id,
    audience,
    cellLeases,
    ended,
    close,
    info: () => ({
      agent: agent.id,
      audience,
      backend: backend.kind,
      isolation: backend.traits.isolation,
      walls: [...cell.walls],
      limits,
      openedAt,
      activations: [...cellLeases.activations],
      ...(cell.pid === undefined ? {} : { pid: cell.pid }),
    }),
  };
};

/** Returns the result of the work, or undefined if it takes longer. */
const withTimeout = async <Value>(
  clock: Clock,
  timeoutMs: number,
  work: Promise<Value>,
): Promise<Value | undefined> => {
  const controller = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(timeoutMs, controller.signal).then(() => undefined)]);
  } finally {
    controller.abort();
  }
};
