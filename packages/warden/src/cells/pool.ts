/**
 * Cells that are open: one per agent and audience, opened when it is first needed, closed when nothing has run in it for a while or
 * another one needs its place. There are so many at most; who waits has a turn.
 */
import {
  type AgentId,
  type AgentRecord,
  type Audience,
  type CellInfo,
  type FrameScope,
  HearthError,
} from "@hearth/protocol";
import { createBackOff } from "./back-off.ts";
import { openCell, type OpenCell, type OpenCellOptions } from "./open-cell.ts";
import { createMakingWay } from "./making-way.ts";
import { createPlaces, type Place } from "./places.ts";
import type { Seat } from "./seats.ts";
import { isAtRest, isEmpty, type Key, type Tenancy } from "./tenancy.ts";

export type { Seat } from "./seats.ts";

export interface Pool extends AsyncDisposable {
  /**
   * Opens the agent's cell for that audience ahead of its first use, where there is room: nobody who works makes way for it. A failure is
   * told to whoever sits down.
   */
  warm(agent: AgentRecord, audience: Audience): void;
  /** The same for whoever wants to know: what is open then. Throws `cell.unavailable` with the reason. */
  open(agent: AgentRecord, audience: Audience): Promise<CellInfo>;
  /** Waits its turn for a cell. Throws `cell.unavailable` with the reason; nothing when `signal` aborts before. */
  sit(agent: AgentRecord, audience: Audience, scope: FrameScope, signal?: AbortSignal): Promise<Seat | undefined>;
  /** Ends the agent's cells by force, or the one of an audience; whatever sits there learns `cell.lost`. How many there were. */
  evict(agent: AgentId, audience?: Audience): Promise<number>;
  list(): readonly CellInfo[];
}

export interface PoolOptions extends Omit<OpenCellOptions, "atRest"> {
  readonly idleMs: number;
  /** Open at once at most. */
  readonly maxOpen: number;
}

export const createPool = (options: PoolOptions): Pool => {
  const { clock } = options;
  const places = createPlaces(options.maxOpen);
  const backOff = createBackOff(clock);
  /** Those that are to be sat down in. */
  const current = new Map<Key, Tenancy>();
  /** All that have a place, or wait for one. */
  const all = new Set<Tenancy>();
  const closing = new AbortController();

  const madeFor = ({ content }: AgentRecord): string =>
    JSON.stringify([content.cell ?? options.kind, { ...options.limits, ...content.limits }]);

  const begin = (agent: AgentRecord, audience: Audience, place: Place | undefined): Tenancy => {
    const key = keyOf(agent.id, audience);
    const abandon = new AbortController();
    const start = Promise.withResolvers<OpenCell | undefined>();
    const tenancy: Tenancy = {
      ...{ key, agent: agent.id, version: agent.version, made: madeFor(agent), wants: 0, abandon },
      ...{ opened: start.promise, cell: undefined, isRetired: false, isClosing: false },
      ...{ since: clock.monotonic(), idle: undefined },
    };
    current.set(key, tenancy);
    all.add(tenancy);
    // Whoever only warmed it is not told.
    start.promise.catch(() => {});
    start.resolve(open(tenancy, agent, audience, place));
    return tenancy;
  };

  const open = async (
    tenancy: Tenancy,
    agent: AgentRecord,
    audience: Audience,
    given: Place | undefined,
  ): Promise<OpenCell | undefined> => {
    const { key, abandon } = tenancy;
    let place = given;
    try {
      await backOff.untilDue(key, abandon.signal);
      if (place === undefined) {
        const turn = places.take(agent.id, abandon.signal);
        makeWay();
        place = await turn;
      }
      if (place === undefined || abandon.signal.aborted) throw GIVEN_UP;
      const cell = await openCell({ ...options, atRest: () => comeToRest(tenancy) }, agent, audience);
      tenancy.cell = cell;
      void watch(tenancy, cell, place);
      if (abandon.signal.aborted) {
        await close(tenancy);
        return undefined;
      }
      // It may have been warmed for someone who never comes.
      comeToRest(tenancy);
      return cell;
    } catch (error) {
      leave(tenancy);
      place?.free();
      if (error === GIVEN_UP) return undefined;
      backOff.failed(key, 0);
      throw error;
    }
  };

  const watch = async (tenancy: Tenancy, cell: OpenCell, place: Place): Promise<void> => {
    const { isAsked, livedMs } = await cell.over;
    if (!isAsked) backOff.failed(tenancy.key, livedMs);
    leave(tenancy);
    place.free();
  };

  const leave = (tenancy: Tenancy): void => {
    tenancy.idle?.abort();
    all.delete(tenancy);
    if (current.get(tenancy.key) === tenancy) current.delete(tenancy.key);
  };

  /** Nobody finds it any more. What it still has to do it does. */
  const retire = (tenancy: Tenancy): void => {
    tenancy.isRetired = true;
    if (current.get(tenancy.key) === tenancy) current.delete(tenancy.key);
    if (tenancy.cell === undefined) tenancy.abandon.abort();
    else if (isAtRest(tenancy) && isEmpty(tenancy)) void close(tenancy);
  };

  const close = async (tenancy: Tenancy, how?: "gave-way"): Promise<void> => {
    tenancy.isClosing = true;
    tenancy.abandon.abort();
    if (current.get(tenancy.key) === tenancy) current.delete(tenancy.key);
    await tenancy.cell?.close(how);
  };

  const comeToRest = (tenancy: Tenancy): void => {
    if (!all.has(tenancy) || !isAtRest(tenancy)) return;
    tenancy.since = clock.monotonic();
    makeWay();
    if (!isEmpty(tenancy) || tenancy.isClosing) return;
    if (tenancy.isRetired) void close(tenancy);
    else void rest(tenancy);
  };

  const rest = async (tenancy: Tenancy): Promise<void> => {
    tenancy.idle?.abort();
    const idle = new AbortController();
    tenancy.idle = idle;
    await clock.sleep(options.idleMs, idle.signal);
    if (!idle.signal.aborted && isAtRest(tenancy)) await close(tenancy);
  };

  const makeWay = createMakingWay({
    ...{ clock, places, tenancies: all, retire, signal: closing.signal },
    close: (tenancy) => void close(tenancy, "gave-way"),
  });

  /** The one to sit down in. Not one that is made for an older record and would be made otherwise today. */
  const find = (agent: AgentRecord, audience: Audience): Tenancy | undefined => {
    const tenancy = current.get(keyOf(agent.id, audience));
    if (tenancy === undefined || agent.version <= tenancy.version || tenancy.made === madeFor(agent)) return tenancy;
    retire(tenancy);
    return undefined;
  };

  /** One that is open or opens, if there is room for it without anybody's waiting. */
  const findOrWarm = (agent: AgentRecord, audience: Audience): Tenancy | undefined => {
    const known = find(agent, audience);
    if (known !== undefined) return known;
    const place = closing.signal.aborted ? undefined : places.takeNow();
    return place === undefined ? undefined : begin(agent, audience, place);
  };

  const sitDown = (tenancy: Tenancy, cell: OpenCell, scope: FrameScope): Seat => {
    if (cell.seats.isAtRest()) tenancy.since = clock.monotonic();
    tenancy.idle?.abort();
    return cell.seats.sit(scope);
  };

  return {
    warm(agent, audience) {
      if (backOff.isDue(keyOf(agent.id, audience))) findOrWarm(agent, audience);
    },

    async open(agent, audience) {
      // One that rests makes way for what a person wants; nobody who works does.
      const canReplace = [...all].some((each) => isAtRest(each) && isEmpty(each));
      const tenancy = findOrWarm(agent, audience) ?? (canReplace ? begin(agent, audience, undefined) : undefined);
      // Whoever wants it open wants it for as long as one that was opened just now.
      if (tenancy?.cell !== undefined) comeToRest(tenancy);
      const cell = await tenancy?.opened;
      if (cell !== undefined) return cell.info();
      throw new HearthError("cell.unavailable", `All ${options.maxOpen} cells of this house are open.`, {
        hint: "End one: hearth cell close AGENT, or allow more: max_open in [cells] of hearth.toml.",
      });
    },

    async sit(agent, audience, scope, signal = NEVER) {
      while (!signal.aborted && !closing.signal.aborted) {
        const tenancy = find(agent, audience) ?? begin(agent, audience, undefined);
        if (tenancy.cell !== undefined) return sitDown(tenancy, tenancy.cell, scope);
        tenancy.wants += 1;
        const stopped = untilAborted(signal);
        try {
          await Promise.race([tenancy.opened, stopped.promise]);
        } finally {
          stopped[Symbol.dispose]();
          tenancy.wants -= 1;
          if (tenancy.wants === 0 && tenancy.cell === undefined) retire(tenancy);
        }
        const { cell } = tenancy;
        if (cell !== undefined && !signal.aborted && current.get(tenancy.key) === tenancy)
          return sitDown(tenancy, cell, scope);
        comeToRest(tenancy);
      }
      return undefined;
    },

    async evict(agent, audience) {
      const those = [...all].filter(({ key, agent: of }) =>
        audience === undefined ? of === agent : key === keyOf(agent, audience),
      );
      await Promise.all(those.map(end));
      return those.length;
    },

    list: () => [...all].flatMap(({ cell }) => (cell === undefined ? [] : [cell.info()])),

    async [Symbol.asyncDispose]() {
      closing.abort();
      await Promise.all([...all].map(end));
    },
  };

  /** Whether it is open or about to be. */
  async function end(tenancy: Tenancy): Promise<void> {
    await close(tenancy);
    await tenancy.opened.catch(() => {});
    await tenancy.cell?.over;
  }
};

const NEVER = new AbortController().signal;
const GIVEN_UP = Symbol("given up");

const keyOf = (agent: AgentId, audience: Audience): Key => `${agent} ${audience}`;

const untilAborted = (signal: AbortSignal): Disposable & { readonly promise: Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = (): void => resolve();
  signal.addEventListener("abort", stop, { once: true });
  return { promise, [Symbol.dispose]: () => signal.removeEventListener("abort", stop) };
};
