/** What `hearth doctor` asks of a running house: each check does something real, and says what to do when it fails. */
import { type CellKind, type Check, type Clock, DEFAULT_MODEL, toErrorBody } from "@hearth/protocol";
import type { CellBackend } from "../cells/backend.ts";
import type { Records } from "../identity/records.ts";
import type { Catalog } from "../providers/catalog.ts";
import type { Store } from "../store/store.ts";

export interface DoctorOptions {
  readonly store: Store;
  readonly providers: Catalog;
  readonly records: Records;
  readonly backends: Readonly<Record<Exclude<CellKind, "auto">, CellBackend>>;
}

export const examine = async (options: DoctorOptions): Promise<readonly Check[]> => [
  await checkStore(options.store),
  ...(await checkProviders(options.providers)),
  ...(await checkAgents(options)),
  ...(await checkBackends(options.backends)),
];

/** A little more than what a long message needs. */
const PROBE = "x".repeat(64 * 1024);
const ROW = { reader: "doctor", stream: PROBE } as const;

/** Leaves nothing behind, but has to find room on the disk for it first. */
const probe = async (store: Store): Promise<void> => {
  await store.commit({
    writes: [
      { kind: "put", table: "readers", row: { ...ROW, offset: 0 } },
      { kind: "delete", table: "readers", where: ROW },
    ],
  });
};

/** How long an answer holds: whatever watches the daemon may ask as often as it likes. */
const HOLDS_MS = 1000;

/** Whether the store takes writes, asked of the disk at most once a second. */
export const createWritableCheck = (store: Store, clock: Clock): (() => Promise<boolean>) => {
  let asked = Number.NEGATIVE_INFINITY;
  let answer = Promise.resolve(true);
  return () => {
    if (clock.monotonic() - asked < HOLDS_MS) return answer;
    asked = clock.monotonic();
    answer = probe(store).then(
      () => true,
      () => false,
    );
    return answer;
  };
};

const failed = (name: string, error: unknown): Check => {
  const { message, hint } = toErrorBody(error);
  return { name, ok: false, detail: message, ...(hint === undefined ? {} : { fix: hint }) };
};

const checkStore = async (store: Store): Promise<Check> => {
  try {
    await probe(store);
    return { name: "store", ok: true, detail: "hearth.db takes writes" };
  } catch (error) {
    return failed("store", error);
  }
};

const checkProviders = async (providers: Catalog): Promise<readonly Check[]> =>
  (await providers.list()).map(({ name, ready, detail }) => ({
    name: `provider ${name}`,
    ok: ready,
    detail,
    ...(ready ? {} : { fix: `Set its key, then try: hearth provider test ${name} --model MODEL` }),
  }));

/** A bot whose model nobody answers for would fail at its first message. */
const checkAgents = async ({ records, providers }: DoctorOptions): Promise<readonly Check[]> => {
  const bots = (await records.list("agent")).filter(({ content }) => content.kind === "bot");
  return Promise.all(
    bots.map(async ({ handle, content }) => {
      const model = content.model ?? DEFAULT_MODEL;
      try {
        await providers.resolve(model);
        return { name: `agent ${handle}`, ok: true, detail: `thinks with ${model}` };
      } catch (error) {
        return failed(`agent ${handle}`, error);
      }
    }),
  );
};

const checkBackends = (backends: DoctorOptions["backends"]): Promise<readonly Check[]> =>
  Promise.all(
    Object.values(backends).map(async (backend) => {
      const { ok, why } = await backend.probe();
      const walls = backend.traits.isolation === "none" ? "no walls" : `isolation: ${backend.traits.isolation}`;
      return { name: `cell ${backend.kind}`, ok, detail: ok ? `works (${walls})` : (why ?? "does not work") };
    }),
  );
