/**
 * Webhooks of jobs. People enable and disable them, the vault stores their keys, and signed calls
 * fire the job.
 */
import type { Records } from "../../people/index.ts";
import type { Vault } from "../../policy/index.ts";
import type { Store, Row } from "../../kernel/index.ts";
import {
  type AgentId,
  type AgentRecord,
  HearthError,
  type JobHook,
  type JobHookTaken,
  type World,
  isHearthError,
} from "@hearth/protocol";
import { createNamedQueues } from "@hearth/protocol/serial-queue";
import { readHookPayload } from "./hook-payload.ts";
import { type Firing, jobNotFoundError } from "./firing.ts";
import {
  checkTimestamp,
  newHookSecret,
  readSignature,
  type SignedHookRequest,
  unverifiedError,
} from "./hook-signature.ts";
import { type JobRow, readDefinition } from "./rows.ts";

export interface HooksOptions {
  readonly world: Pick<World, "clock" | "ids" | "random" | "hash">;
  readonly store: Store;
  readonly records: Pick<Records, "find">;
  readonly vault: Pick<Vault, "status" | "read" | "set" | "rotate" | "remove">;
  readonly firing: Pick<Firing, "fireManually">;
  /** Reads the jobs file again if it has changed. */
  readonly sync: (agent: AgentRecord) => Promise<unknown>;
  /** Writes into the jobs file whether the job has a webhook. Throws `job.not-found`. */
  readonly write: (agent: AgentRecord, name: string, hook: boolean, by: AgentId) => Promise<void>;
}

/**
 * Contract, checked by its tests:
 * - A job has a webhook if its file enables it and a person has turned it on. The file alone
 *   creates no key.
 * - A call without a valid signature gets the same answer as a call of a webhook that does not
 *   exist.
 * - Each `webhook-id` fires once, however often it arrives.
 */
export interface Hooks {
  /** Enables the webhook. Throws `job.taken` if it is enabled. */
  open(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** Replaces the key and keeps the address. Throws `job.not-found` if the webhook is disabled. */
  rotate(agent: AgentRecord, name: string, by: AgentId): Promise<JobHook>;
  /** Disables the webhook and deletes its key. Does not change the file. */
  close(agent: AgentId, name: string, by: AgentId): Promise<void>;
  /** Removes webhooks of deleted agents, with their keys. */
  sweep(): Promise<void>;
  /** Returns the paths of an agent's webhooks by job name. */
  paths(agent: AgentId): Promise<ReadonlyMap<string, string>>;
  deliver(id: string, signed: SignedHookRequest): Promise<JobHookTaken>;
}

type HookRow = Row<"job_hooks">;

const PATH = "/hooks/jobs/";
/**
 * Maximum number of unfinished slots of one job. Further calls are rejected until some slots end.
 */
export const MAX_UNFINISHED_SLOTS = 20;
/** Maximum length of the job's name within the name of its key. */
const NAME_LENGTH = 24;

export const createHooks = (options: HooksOptions): Hooks => {
  const { world, store, records, vault, firing, sync, write } = options;
  /**
   * The key that is compared if the webhook does not exist, so that the response time is the
   * same.
   */
  const unusedKey = newHookSecret(world.random);
  /** One queue per webhook. Otherwise two copies of one call could both fire. */
  const enqueue = createNamedQueues();

  const find = async (agent: string, job: string): Promise<HookRow | undefined> =>
    (await store.select({ table: "job_hooks", where: { agent, job } }))[0];

  const jobRow = async (agent: string, name: string): Promise<JobRow> => {
    const [row] = await store.select({ table: "jobs", where: { agent, name } });
    if (row === undefined) throw jobNotFoundError(name);
    return row;
  };

  /**
   * Removes a webhook: first its key, then its row. As long as the row exists, a sweep removes the
   * key again after a crash.
   */
  const remove = async ({ id, house, secret }: HookRow, by: AgentId): Promise<void> => {
    // A person may have removed the secret already.
    await vault.remove(house, secret, by).catch(ignoreMissing);
    await store.commit({
      writes: [
        { kind: "delete", table: "job_hooks", where: { id } },
        { kind: "delete", table: "job_deliveries", where: { hook: id } },
      ],
    });
  };

  const acceptDelivery = async (hook: HookRow, delivery: string, signed: SignedHookRequest): Promise<JobHookTaken> => {
    const payload = readHookPayload(signed);
    const [deliveryRow] = await store.select({ table: "job_deliveries", where: { hook: hook.id, delivery } });
    if (deliveryRow !== undefined) return { slot: deliveryRow.slot };
    const agent = await records.find("agent", hook.agent);
    if (agent === undefined) throw unverifiedError();
    await sync(agent);
    await requireAccepting(await jobRow(agent.id, hook.job));
    const { id, agent: agentId } = hook;
    const { slot } = await firing.fireManually(agent.id, hook.job, {
      reason: "A webhook started it.",
      payload,
      guards: [
        { kind: "exists", table: "job_hooks", where: { id } },
        { kind: "absent", table: "job_deliveries", where: { hook: id, delivery } },
      ],
      writes: (at) => [
        {
          kind: "insert",
          table: "job_deliveries",
          row: { hook: id, delivery, agent: agentId, slot: at, at: world.clock.now() },
        },
      ],
    });
    return { slot };
  };

  /** Throws if the job takes no calls now. The sender retries later. */
  const requireAccepting = async (row: JobRow): Promise<void> => {
    if (readDefinition(row).hook !== true)
      throw hookUnavailableError(row, "no longer takes webhooks: its file disables them");
    if (row.status === "paused" || row.status === "halted") throw hookUnavailableError(row, `is ${row.status}`);
    const now = world.clock.now();
    if (row.not_before > now)
      throw hookUnavailableError(row, "failed recently and is backing off", row.not_before - now);
    const where = { agent: row.agent, job: row.name, ended_at: null };
    const unfinishedSlots = await store.select({ table: "job_slots", where, limit: MAX_UNFINISHED_SLOTS });
    if (unfinishedSlots.length === MAX_UNFINISHED_SLOTS)
      throw new HearthError("job.busy", `The job "${row.name}" has too many unfinished runs.`, {
        hint: "Try again when some have ended.",
        retryAfterMs: BUSY_RETRY_MS,
      });
  };

  return {
    async open(agent, name, by) {
      await sync(agent);
      const existing = await find(agent.id, name);
      if (existing !== undefined && readDefinition(await jobRow(agent.id, name)).hook === true)
        throw new HearthError("job.taken", `The webhook of the job "${name}" is already on.`, {
          hint: "To replace its key: hearth job hook AGENT JOB --rotate",
        });
      // A person disabled the webhook in the file, so its old key is deleted.
      if (existing !== undefined) await remove(existing, by);
      await write(agent, name, true, by);
      const id = world.ids.fresh("hook");
      const secret = newHookSecret(world.random);
      const secretName = `job-${name.slice(0, NAME_LENGTH)}-${id}`;
      await vault.set(agent.house, { name: secretName, value: secret }, by);
      const row = {
        id,
        house: agent.house,
        agent: agent.id,
        job: name,
        secret: secretName,
        created_at: world.clock.now(),
      };
      await store.commit({ writes: [{ kind: "insert", table: "job_hooks", row }] });
      return { id, path: `${PATH}${id}`, secret };
    },

    async rotate(agent, name, by) {
      await sync(agent);
      await jobRow(agent.id, name);
      const row = await find(agent.id, name);
      if (row === undefined)
        throw new HearthError("job.not-found", `The job "${name}" has no webhook.`, {
          hint: "Turn it on: hearth job hook AGENT JOB --on",
        });
      const secret = newHookSecret(world.random);
      await vault.rotate(agent.house, { name: row.secret, value: secret }, by);
      return { id: row.id, path: `${PATH}${row.id}`, secret };
    },

    async close(agent, name, by) {
      const row = await find(agent, name);
      if (row !== undefined) await remove(row, by);
    },

    async sweep() {
      for (const row of await store.select({ table: "job_hooks" }))
        if ((await records.find("agent", row.agent)) === undefined) await remove(row, row.agent);
    },

    async paths(agent) {
      const rows = await store.select({ table: "job_hooks", where: { agent } });
      return new Map(rows.map(({ job, id }) => [job, `${PATH}${id}`]));
    },

    async deliver(id, signed) {
      const [hook] = await store.select({ table: "job_hooks", where: { id } });
      const status = vault.status();
      if (status.state === "locked")
        throw new HearthError("secret.locked", "The vault is locked, so no webhook can be verified.", {
          hint: "Try again when the vault is unlocked.",
        });
      const secret = hook === undefined ? undefined : await vault.read(hook.house, hook.secret);
      const delivery = readSignature(world.hash, secret ?? unusedKey, signed);
      if (hook === undefined || secret === undefined) throw unverifiedError();
      checkTimestamp(signed.headers, world.clock.now());
      return enqueue(id, () => acceptDelivery(hook, delivery, signed));
    },
  };
};

const BUSY_RETRY_MS = 60_000;

const hookUnavailableError = ({ name }: JobRow, why: string, retryAfterMs?: number): HearthError =>
  new HearthError("job.paused", `The job "${name}" ${why}.`, {
    hint: "The call was not accepted. Try again later, or ask the job's owner.",
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });

const ignoreMissing = (error: unknown): void => {
  if (!isHearthError(error, "secret.not-found")) throw error;
};
