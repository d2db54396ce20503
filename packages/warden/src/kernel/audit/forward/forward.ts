/**
 * Sends the rows of all audit logs to one target, in order and at least once. The position in each
 * log is stored after the target has taken the rows, so a crash repeats some rows and skips none.
 */
import type { Clock, HouseId } from "@hearth/protocol";
import type { Store } from "../../store/store.ts";
import type { Audit } from "../audit.ts";
import { toRows } from "../export.ts";
import { streamOf } from "../source.ts";
import type { AuditTarget } from "./target.ts";

/** Rows per call of the target. */
export const BATCH = 200;
/** How often new rows are looked for. */
export const EVERY_MS = 1000;

export interface ForwardOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly audit: Pick<Audit, "page" | "ends">;
  /** The name of the target, which its stored position has too. */
  readonly name: string;
  readonly target: AuditTarget;
}

/** Runs until the signal aborts. Rejects with the failure of the target. */
export const forwardRows = async (options: ForwardOptions, signal: AbortSignal): Promise<void> => {
  const positions = await readPositions(options);
  while (!signal.aborted) {
    await forwardPresent(options, positions, signal);
    await options.clock.sleep(EVERY_MS, signal);
  }
};

/** Sends the rows that the logs have now. Rejects with the failure of the target. */
export const forwardOnce = async (options: ForwardOptions, signal: AbortSignal): Promise<void> =>
  forwardPresent(options, await readPositions(options), signal);

const forwardPresent = async (options: ForwardOptions, positions: Map<string, number>, signal: AbortSignal) => {
  for (const [house, end] of options.audit.ends()) {
    const stream = streamOf(house);
    for (let after = positions.get(stream) ?? 0; after < end && !signal.aborted; after = positions.get(stream) ?? end)
      positions.set(stream, await forwardBatch(options, { house, after, end }, signal));
  }
};

/** The name of the reader whose stored positions are those of a target. */
const toReader = (name: string): string => `audit-target:${name}`;

const readPositions = async ({ store, name }: ForwardOptions): Promise<Map<string, number>> => {
  const rows = await store.select({ table: "readers", where: { reader: toReader(name) } });
  return new Map(rows.map(({ stream, offset }) => [stream, offset]));
};

/** Returns the new position. `end`: the last row that no power cut can lose. */
const forwardBatch = async (
  { store, audit, name, target }: ForwardOptions,
  { house, after, end }: { readonly house: HouseId; readonly after: number; readonly end: number },
  signal: AbortSignal,
): Promise<number> => {
  const rows = await audit.page(house, after, Math.min(BATCH, end - after));
  const last = rows.at(-1);
  if (last === undefined) throw new Error(`row ${after + 1} of the audit log of ${house} cannot be read`);
  await target.send(
    rows.map((row) => toRows([row])),
    signal,
  );
  const row = { reader: toReader(name), stream: streamOf(house), offset: last.offset };
  // A power cut may lose the position; the rows are then sent again.
  await store.commit({ writes: [{ kind: "put", table: "readers", row }], isReproducible: true });
  return last.offset;
};
