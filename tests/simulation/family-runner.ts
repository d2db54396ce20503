/** Performs the operations of the fault families, and checks their results at the end of a run. */
import type { Row, WritableTable, Write } from "@hearth/warden/memory-warden";
import type { PlainFamilyOperation, SecretChange } from "./family-operations.ts";
import type { Answer, Daemon, House } from "./house.ts";

type AskOnce = (method: string, path: string, body?: unknown) => Promise<Answer | undefined>;
type Insist = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Whether a secret or fact exists, as far as the house's responses show. */
type Presence = "there" | "gone" | "not known";

const AGENTS = ["main", "aide"] as const;
const SECRETS = "/api/houses/home/secrets";

export const createFamilyRunner = (options: {
  readonly house: House;
  readonly askOnce: AskOnce;
  readonly insist: Insist;
  readonly later: (ms: number) => Promise<void>;
  readonly daemonAt: (slot: number) => Daemon | undefined;
  readonly rooms: () => readonly string[];
}) => {
  const { house, askOnce, insist, later, daemonAt, rooms } = options;
  const { disk, complain, families } = house;
  const secrets = new Map<string, Presence>();
  const values: string[] = [];
  /** Open requests by secret. Two concurrent requests have no known order. */
  const open = new Map<string, number>();
  /** Facts, by agent and text. */
  const facts = new Map<string, Presence>();

  const changeSecret = async ({ how, name, value }: SecretChange): Promise<void> => {
    values.push(value);
    const isAlone = (open.get(name) ?? 0) === 0;
    open.set(name, (open.get(name) ?? 0) + 1);
    const before = secrets.get(name) ?? "gone";
    secrets.set(name, "not known");
    const answer = await (how === "set"
      ? askOnce("POST", SECRETS, { name, value })
      : how === "rotate"
        ? askOnce("POST", `${SECRETS}/${name}/rotate`, { value })
        : askOnce("DELETE", `${SECRETS}/${name}`));
    const others = (open.get(name) ?? 1) - 1;
    open.set(name, others);
    if (!isAlone || others > 0 || answer === undefined || answer.status >= 500) return;
    if (answer.status < 400) secrets.set(name, how === "remove" ? "gone" : "there");
    else secrets.set(name, before);
  };

  const pathOf = (agent: string): string => `/api/agents/${agent}/memory`;

  /** Numbers of requests to forget and of their responses. */
  const forgets = { asked: 0, answered: 0 };

  /** Number of requests to remember each fact. */
  const asks = new Map<string, number>();

  const remember = async (agent: string, fact: string): Promise<void> => {
    asks.set(`${agent} ${fact}`, (asks.get(`${agent} ${fact}`) ?? 0) + 1);
    facts.set(`${agent} ${fact}`, "not known");
    const { asked } = forgets;
    const isAlone = asked === forgets.answered;
    const answer = await askOnce("POST", `${pathOf(agent)}/remember`, { text: fact });
    // A concurrent request to forget may have removed the fact again.
    if (!isAlone || forgets.asked !== asked) return;
    if (answer !== undefined && answer.status < 400) facts.set(`${agent} ${fact}`, "there");
  };

  /** A search does not fail because of the memory process: the house then searches by words. */
  const recall = async (agent: string, query: string): Promise<void> => {
    const answer = await askOnce("POST", `${pathOf(agent)}/recall`, { query });
    if (answer?.json?.error?.code === "memory.lost")
      complain("memory", `a search of ${agent} failed with its memory process`);
  };

  /** Forgets the whole file that contains the facts. */
  const forget = async (agent: string): Promise<void> => {
    const own = [...facts.keys()].filter((key) => key.startsWith(`${agent} `));
    const before = new Map(own.map((key) => [key, { presence: facts.get(key), asked: asks.get(key) }]));
    for (const key of own) facts.set(key, "not known");
    forgets.asked += 1;
    const answer = await askOnce("POST", `${pathOf(agent)}/forget`, { source: "MEMORY.md" });
    forgets.answered += 1;
    if (answer === undefined || answer.status >= 500) return;
    // A concurrent request to remember may have run before or after.
    for (const key of own) {
      const known = before.get(key);
      if (facts.get(key) !== "not known" || known?.asked !== asks.get(key)) continue;
      if (answer.status < 400 && known?.presence === "there") facts.set(key, "gone");
    }
  };

  /**
   * Simulates an upgrade: removes fields from frozen inputs that an older release did not write.
   */
  const ageInputs = async (): Promise<void> => {
    const rows = await disk.store.select({ table: "activations", where: { ended_at: null } });
    const writes = (await Promise.all(rows.map(agedInput))).filter((write) => write !== undefined);
    if (writes.length === 0) return;
    daemonAt(0)?.life.die("it was upgraded");
    await disk.store.commit({ writes });
  };

  const agedInput = async ({ id, frozen }: Row<"activations">): Promise<Write | undefined> => {
    if (frozen === null) return undefined;
    const { v: _version, at: _at, config: _config, loop: _loop, ...older } = JSON.parse(frozen);
    const set = { frozen: JSON.stringify(older) };
    house.ofOlderRelease.add(id);
    return { kind: "update", table: "activations", where: { id }, set };
  };

  return {
    async perform(operation: PlainFamilyOperation): Promise<void> {
      switch (operation.do) {
        case "cut-cell":
          return void daemonAt(operation.daemon)?.cells.cut();
        case "lose-blob": {
          const names = disk.blobs.names();
          const name = names[operation.nth % Math.max(1, names.length)];
          return name === undefined ? undefined : disk.blobs.lose(name, operation.how);
        }
        case "set-own-clock":
          return daemonAt(operation.daemon)?.setClock(operation.ms);
        case "change-secret":
          return changeSecret(operation);
        case "change-vault-key":
          return void (await askOnce("POST", "/api/vault/key", { source: "file" }));
        case "remember":
          return remember(operation.agent, operation.fact);
        case "forget":
          return forget(operation.agent);
        case "recall":
          return recall(operation.agent, operation.query);
        case "fail-memory":
          house.faults.memory = operation.how;
          await later(operation.ms);
          house.faults.memory = undefined;
          return;
        case "copy-disk":
          return house.copyDisk();
        case "age-inputs":
          return ageInputs();
      }
    },

    /** Checks the families' results. Faults have ended and a daemon is open. */
    async check(): Promise<void> {
      if (families.has("lost-blobs")) await checkRooms();
      if (families.has("vault")) await checkVault();
      if (facts.size > 0) await checkFacts();
    },
  };

  /** The loss of a blob affects one body; rooms can still be read. */
  async function checkRooms(): Promise<void> {
    for (const room of rooms())
      for (const path of ["events", "fates"]) {
        const answer = await askOnce("GET", `/api/rooms/${room}/${path}`);
        if (answer?.status !== 200)
          complain("I7", `the ${path} of a room return ${answer?.status} after a blob was lost`);
      }
  }

  async function checkVault(): Promise<void> {
    const listed = new Set(((await insist("GET", SECRETS)) as { readonly name: string }[]).map(({ name }) => name));
    for (const [name, presence] of secrets) {
      if (presence === "there" && !listed.has(name)) complain("vault", `the secret ${name} was stored but is missing`);
      if (presence === "gone" && listed.has(name)) complain("vault", `the secret ${name} was removed but still exists`);
    }
    // A new vault key seals every secret again, which requires the old key and every value.
    if (listed.size > 0) {
      const answer = await askOnce("POST", "/api/vault/key", { source: "file" });
      if (answer === undefined || answer.status >= 400)
        complain("vault", `the vault cannot seal its secrets again: ${JSON.stringify(answer?.json)}`);
    }
    // I8: no row contains the value of a secret.
    const stored = JSON.stringify(await Promise.all(SCANNED.map((table) => disk.store.select({ table }))));
    for (const value of values) if (stored.includes(value)) complain("I8", `the value ${value} is in the database`);
  }

  async function checkFacts(): Promise<void> {
    for (const agent of AGENTS) {
      const text = (await disk.brains.read(`${agent}/MEMORY.md`)) ?? "";
      const [record] = await disk.store.select({ table: "records", where: { type: "agent", handle: agent } });
      const bodies = await disk.store.select({ table: "brain_bodies", where: { agent: record?.id ?? "" } });
      const kept = JSON.stringify(bodies);
      for (const [key, presence] of facts) {
        if (!key.startsWith(`${agent} `)) continue;
        const fact = key.slice(agent.length + 1);
        if (presence === "there" && !text.includes(fact)) complain("I1", `${agent} has lost the fact "${fact}"`);
        if (presence === "gone" && text.includes(fact)) complain("forget", `"${fact}" is in the memory of ${agent}`);
        if (presence === "gone" && kept.includes(fact)) complain("forget", `"${fact}" is in a version of ${agent}`);
      }
    }
  }
};

/** Tables that a secret could leak into. */
const SCANNED = ["events", "steps", "activations", "secrets", "vault_keys", "outbox"] as const satisfies readonly (
  | WritableTable
  | "events"
)[];
