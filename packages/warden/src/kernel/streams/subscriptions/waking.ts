/**
 * Runs wakes. A wake begins when there is unprocessed content, is notified, claimed and reported
 * on, and begins again when its lease expires.
 */
import { createNamedQueues } from "@hearth/protocol/serial-queue";
import type { AgentId, HouseId, Level, World } from "@hearth/protocol";
import type { Store, Write } from "../../store/store.ts";
import type { Row } from "../../store/tables/tables.ts";
import { createListeners } from "../../listeners.ts";
import type { Deliver } from "./delivery.ts";
import { hasPending, type Links, type SubscriptionKey } from "./links.ts";
import type { ClaimResult, LinkState, Report, ReportResult, Subscription, Wake } from "./subscriptions.ts";
import { isToken, deriveToken, readToken } from "./tokens.ts";

type SubscriptionRow = Row<"subscriptions">;

export interface Waking {
  /**
   * Begins a wake if there is unprocessed content and no wake is in progress, or only one with an
   * expired lease.
   */
  check(name: SubscriptionKey): Promise<void>;
  /** Sends a due notification of a wake. */
  notify(name: SubscriptionKey, signal: AbortSignal): Promise<void>;
  claim(name: SubscriptionKey, worker: string): Promise<ClaimResult>;
  report(id: string, token: string, report: Report): Promise<ReportResult>;
  /** Adds a listener that is called when something is due, or will be. */
  onDue(listener: () => void): void;
}

const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;
/** Random variation of a pause, as a share of it. */
const JITTER = 0.2;

export const createWaking = (options: {
  readonly world: Pick<World, "clock" | "random" | "hash">;
  readonly store: Store;
  readonly links: Links;
  readonly deliver: Deliver;
  readonly toSubscription: (row: SubscriptionRow) => Promise<Subscription>;
  /** Whether the owner still has the access needed to subscribe. */
  readonly mayReach: (agent: AgentId, level: Level, house: HouseId) => Promise<boolean>;
}): Waking => {
  const { world, store, links, deliver, toSubscription, mayReach } = options;
  const dueListeners = createListeners<void>();
  const enqueue = createNamedQueues();
  const keyOf = ({ house, id }: SubscriptionKey): string => `${house}/${id}`;

  const rowOf = async ({ house, id }: SubscriptionKey): Promise<SubscriptionRow | undefined> =>
    (await store.select({ table: "subscriptions", where: { house, id } }))[0];

  /** Changes the row. Returns false if another change came first. */
  const updateRow = async (
    row: SubscriptionRow,
    set: Partial<SubscriptionRow>,
    writes: readonly Write[] = [],
  ): Promise<boolean> => {
    const { house, id, generation, wake, holder, retry_at } = row;
    const { kind } = await store.commit({
      guards: [{ kind: "exists", table: "subscriptions", where: { house, id, generation, wake, holder, retry_at } }],
      writes: [{ kind: "update", table: "subscriptions", where: { house, id }, set }, ...writes],
    });
    if (kind === "committed") dueListeners.notify();
    return kind === "committed";
  };

  const createWake = ({ generation }: SubscriptionRow) => ({
    generation: generation + 1,
    wake: `w_${world.random(12).toHex()}`,
    attempts: 0,
  });

  const pendingOf = async (row: SubscriptionRow): Promise<readonly LinkState[] | undefined> => {
    const states = await links.states(nameOf(row));
    return states.some(hasPending) ? states : undefined;
  };

  const toWake = (row: SubscriptionRow, wake: string, states: readonly LinkState[], leaseMs: number): Wake => ({
    id: wake,
    generation: row.generation,
    token: deriveToken(world.hash, row, row.generation),
    links: states,
    leaseMs,
  });

  const check = async (name: SubscriptionKey): Promise<void> => {
    const row = await rowOf(name);
    if (row === undefined) return;
    if (row.wake !== null && !isLeaseExpired(row, world.clock.now())) return;
    if ((await pendingOf(row)) === undefined) {
      if (row.wake !== null) await updateRow(row, IDLE);
      return;
    }
    const { config, owner, house } = await toSubscription(row);
    if (!(await mayReach(owner, config.type === "webhook" ? "x" : "w", house))) return;
    await updateRow(row, { ...IDLE, ...createWake(row), retry_at: world.clock.now() });
  };

  return {
    onDue: dueListeners.add,

    check: (name) => enqueue(keyOf(name), () => check(name)),

    async notify(name, signal) {
      const row = await rowOf(name);
      if (row === undefined || row.wake === null || row.retry_at === null) return;
      const subscription = await toSubscription(row);
      const { leaseMs, type } = subscription.config;
      const wake = toWake(row, row.wake, await links.states(name), leaseMs);
      const outcome = await deliver(subscription, wake, signal);
      if (signal.aborted) return;
      const now = world.clock.now();
      switch (outcome) {
        case "failed":
          await updateRow(row, {
            attempts: row.attempts + 1,
            retry_at: now + retryDelayMs(row.attempts, world.random(1)[0] ?? 0),
          });
          return;
        case "notified":
          await updateRow(row, { attempts: 0, retry_at: null, lease_until: type === "webhook" ? now + leaseMs : null });
          return;
        case "done": {
          const acks = await Promise.all(wake.links.map(({ path, tail }) => links.ack(name, path, tail)));
          await updateRow(
            row,
            IDLE,
            acks.filter((ack) => ack !== undefined),
          );
          await enqueue(keyOf(name), () => check(name));
        }
      }
    },

    claim: (name, worker) =>
      enqueue(keyOf(name), async (): Promise<ClaimResult> => {
        const row = await rowOf(name);
        if (row === undefined) return { kind: "absent" };
        const { leaseMs, type } = (await toSubscription(row)).config;
        if (type !== "pull-wake") return { kind: "not-claimed" };
        const now = world.clock.now();
        const isHeld = row.wake !== null && row.holder !== null && !isLeaseExpired(row, now);
        if (isHeld) return { kind: "held", holder: row.holder ?? "", generation: row.generation };
        const states = await links.states(name);
        if (!states.some(hasPending)) {
          if (row.wake !== null) await updateRow(row, IDLE);
          return { kind: "idle" };
        }
        // An unclaimed wake continues. A wake with an expired holder is replaced, because otherwise
        // both reports would count.
        const isFree = row.wake !== null && row.holder === null;
        const claim = isFree ? { generation: row.generation, wake: row.wake ?? "" } : createWake(row);
        const lease = { ...claim, holder: worker, attempts: 0, retry_at: null, lease_until: now + leaseMs };
        if (!(await updateRow(row, lease))) return { kind: "held", holder: "", generation: row.generation };
        return { kind: "claimed", wake: toWake({ ...row, ...lease }, claim.wake, states, leaseMs) };
      }),

    async report(id, token, report) {
      const tokenParts = readToken(token);
      if (tokenParts === undefined) return { kind: "unknown" };
      const name = { house: tokenParts.house, id };
      return enqueue(keyOf(name), async (): Promise<ReportResult> => {
        const row = await rowOf(name);
        if (row === undefined || !isToken(world.hash, row, tokenParts.generation, token)) return { kind: "unknown" };
        const now = world.clock.now();
        const isCurrent =
          row.wake === report.wake && row.generation === report.generation && row.generation === tokenParts.generation;
        if (!isCurrent || isLeaseExpired(row, now)) return { kind: "fenced" };
        const writes: Write[] = [];
        for (const { path, offset } of report.acks) {
          const ack = await links.ack(name, path, offset);
          if (ack === undefined) return { kind: "no-such-offset", path };
          writes.push(ack);
        }
        const { leaseMs } = (await toSubscription(row)).config;
        const lease = { retry_at: null, attempts: 0, lease_until: now + leaseMs };
        if (!(await updateRow(row, report.isDone ? IDLE : lease, writes))) return { kind: "fenced" };
        if (!report.isDone) return { kind: "taken", wakesAgain: false };
        const wakesAgain = (await pendingOf({ ...row, ...IDLE })) !== undefined;
        if (wakesAgain) await check(name);
        return { kind: "taken", wakesAgain };
      });
    },
  };
};

/** The columns of a row without a wake. */
const IDLE = { wake: null, holder: null, lease_until: null, attempts: 0, retry_at: null } as const;

export const nameOf = (row: Pick<SubscriptionRow, "house" | "id">): SubscriptionKey => ({
  house: row.house,
  id: row.id,
});

/** Whether the wake's lease has expired. A wake that is not notified yet has no lease. */
const isLeaseExpired = (row: SubscriptionRow, now: number): boolean =>
  row.retry_at === null && row.lease_until !== null && row.lease_until <= now;

const retryDelayMs = (attempts: number, randomByte: number): number =>
  Math.round(Math.min(FIRST_RETRY_MS * 2 ** attempts, MAX_RETRY_MS) * (1 - JITTER + (2 * JITTER * randomByte) / 255));
