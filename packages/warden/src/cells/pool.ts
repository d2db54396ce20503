/**
 * Cells that are open: one per agent, opened when it is first needed, closed when nothing has run in it for a while.
 * Checks every frame of an inmate and hands it to the activation that it belongs to.
 */
import {
  type ActivationId,
  type AgentId,
  type AgentRecord,
  type CellKind,
  type Clock,
  createMailbox,
  type FrameScope,
  HearthError,
  InmateFrame,
  LINK_VERSION,
  type Mailbox,
  type WardenFrameBody,
} from "@hearth/protocol";
import type { Log } from "../observe/log.ts";
import type { Cell, CellBackend } from "./backend.ts";

/** An activation's place in a cell. */
export interface Seat {
  send(frame: WardenFrameBody): void;
  /** Its frames, in order. Ends with a thrown `cell.lost` when the cell dies. */
  readonly frames: AsyncIterable<InmateFrame>;
  /** Frees the place. Frames that come later are dropped. */
  leave(): void;
}

export interface CellInfo {
  readonly agent: AgentId;
  readonly backend: string;
  readonly pid?: number;
}

export interface Pool extends AsyncDisposable {
  /** Opens the agent's cell ahead of its first use. A failure is told to whoever sits down. */
  warm(agent: AgentRecord): void;
  /** Throws `cell.unavailable` with the reason. */
  sit(agent: AgentRecord, scope: FrameScope): Promise<Seat>;
  /** Ends the agent's cell by force; whatever sits in it learns `cell.lost`. */
  evict(agent: AgentId): Promise<void>;
  list(): readonly CellInfo[];
}

export interface PoolOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly backends: Readonly<Record<Exclude<CellKind, "auto">, CellBackend>>;
  /** What `auto` means here. */
  readonly auto: Exclude<CellKind, "auto">;
  readonly idleMs: number;
  readonly workspaceOf: (agent: AgentRecord) => Promise<string>;
}

interface Open {
  readonly backend: string;
  readonly cell: Cell;
  readonly seats: Map<ActivationId, { readonly scope: FrameScope; readonly mailbox: Mailbox<InmateFrame> }>;
  frames: number;
  /** Ends the wait for idleness. */
  idle: AbortController | undefined;
}

/** Longest time from the opening of a cell to its hello. */
const HELLO_MS = 10_000;

export const createPool = (options: PoolOptions): Pool => {
  const { clock, log, backends } = options;
  const cells = new Map<AgentId, Promise<Open>>();
  const opened = new Map<AgentId, Open>();

  const open = async (agent: AgentRecord): Promise<Open> => {
    const wanted = agent.content.cell ?? "auto";
    const backend = backends[wanted === "auto" ? options.auto : wanted];
    const workspace = await options.workspaceOf(agent);
    const cell = await backend.open({ agent: agent.id, workspace });
    const state: Open = { backend: backend.kind, cell, seats: new Map(), frames: 0, idle: undefined };
    const hello = Promise.withResolvers<boolean>();
    void receive(agent.id, state, hello.resolve);
    const late = new AbortController();
    const inTime = await Promise.race([hello.promise, clock.sleep(HELLO_MS, late.signal).then(() => false)]);
    late.abort();
    if (!inTime) {
      await cell.close();
      const why = (await cell.gone) ?? "it said nothing in time";
      throw new HearthError(
        "cell.unavailable",
        `The cell of ${agent.handle} (${backend.kind}) did not start: ${why}.`,
        {
          hint: "Run: hearth doctor",
        },
      );
    }
    opened.set(agent.id, state);
    // It may have been warmed for someone who never comes.
    void rest(agent.id, state);
    return state;
  };

  /** Reads the inmate's frames until there are no more, then tells everyone who sits there. */
  const receive = async (agent: AgentId, state: Open, hello: (spoken: boolean) => void): Promise<void> => {
    let broken: string | undefined;
    try {
      for await (const received of state.cell.link.frames) {
        const parsed = InmateFrame.safeParse(received);
        if (!parsed.success) throw new HearthError("cell.protocol", "it sent a frame that is none");
        const frame = parsed.data;
        if (frame.type === "hello") {
          if (frame.version !== LINK_VERSION)
            throw new HearthError("cell.protocol", `it speaks version ${frame.version} of the link`);
          hello(true);
          continue;
        }
        const seat = state.seats.get(frame.activation);
        if (seat === undefined) continue;
        if (!sameScope(seat.scope, frame)) throw new HearthError("cell.protocol", "it spoke for someone else");
        seat.mailbox.put(frame);
      }
    } catch (error) {
      broken = error instanceof Error ? error.message : "its link broke";
      log.write("warn", "a cell broke its link", { agent, backend: state.backend, reason: broken });
      await state.cell.close();
    }
    const why = broken ?? (await state.cell.gone) ?? "it was closed";
    if (opened.get(agent) === state) {
      opened.delete(agent);
      cells.delete(agent);
    }
    state.idle?.abort();
    hello(false);
    for (const { mailbox } of state.seats.values()) {
      mailbox.close(new HearthError("cell.lost", `The cell went away: ${why}.`, { hint: "Send your message again." }));
    }
    state.seats.clear();
  };

  const ensure = (agent: AgentRecord): Promise<Open> => {
    const known = cells.get(agent.id);
    if (known !== undefined) return known;
    const opening = open(agent).catch((error: unknown) => {
      cells.delete(agent.id);
      throw error;
    });
    cells.set(agent.id, opening);
    return opening;
  };

  const rest = async (agent: AgentId, state: Open): Promise<void> => {
    const idle = new AbortController();
    state.idle = idle;
    await clock.sleep(options.idleMs, idle.signal);
    if (idle.signal.aborted || state.seats.size > 0) return;
    cells.delete(agent);
    opened.delete(agent);
    await state.cell.close();
  };

  return {
    warm(agent) {
      ensure(agent).catch(() => {
        // `sit` meets the same failure and reports it to the one who waits.
      });
    },

    async sit(agent, scope) {
      let state = await ensure(agent);
      // It may have gone to rest while this waited.
      while (opened.get(agent.id) !== state) state = await ensure(agent);
      state.idle?.abort();
      const mailbox = createMailbox<InmateFrame>();
      state.seats.set(scope.activation, { scope, mailbox });
      return {
        frames: mailbox,
        send(body) {
          state.frames += 1;
          state.cell.link.send({ ...body, id: state.frames, at: clock.now() });
        },
        leave() {
          if (state.seats.get(scope.activation)?.mailbox !== mailbox) return;
          state.seats.delete(scope.activation);
          mailbox.close();
          if (state.seats.size === 0) void rest(agent.id, state);
        },
      };
    },

    async evict(agent) {
      const opening = cells.get(agent);
      cells.delete(agent);
      const [result] = await Promise.allSettled([opening]);
      if (result.status !== "fulfilled" || result.value === undefined) return;
      if (opened.get(agent) === result.value) opened.delete(agent);
      result.value.idle?.abort();
      await result.value.cell.close();
    },

    list: () =>
      [...opened].map(([agent, { backend, cell }]) => ({
        agent,
        backend,
        ...(cell.pid === undefined ? {} : { pid: cell.pid }),
      })),

    async [Symbol.asyncDispose]() {
      const all = await Promise.allSettled(cells.values());
      cells.clear();
      opened.clear();
      await Promise.all(
        all.map(async (result) => {
          if (result.status !== "fulfilled") return;
          result.value.idle?.abort();
          await result.value.cell.close();
        }),
      );
    },
  };
};

/** An inmate speaks for the activations that it was given and for nobody else. */
const sameScope = (scope: FrameScope, frame: FrameScope): boolean =>
  scope.agent === frame.agent &&
  scope.room === frame.room &&
  scope.person === frame.person &&
  scope.session === frame.session;
