/**
 * Sends the rows of all audit logs to one target, in order and at least once. The position in each
 * log is stored after the target has confirmed the rows, so a crash repeats some rows and skips
 * none.
 */
import type { Clock, HouseId } from "@hearth/protocol";
import type { Store } from "../../store/store.ts";
import type { Audit } from "../audit.ts";
import { toRows } from "../export.ts";
import { auditStreamOf } from "../source.ts";
import type { AuditTarget } from "./target.ts";

/** Maximum number of rows per call of the target. */
export const BATCH = 200;
/** Interval at which new rows are sent. */
export const SEND_INTERVAL_MS = 1000;

export interface ForwardOptions {
  readonly clock: Pick<Clock, "sleep">;
  readonly store: Pick<Store, "select" | "commit">;
  readonly audit: Pick<Audit, "page" | "ends">;
  /** The name of the target, which is part of the name of its stored position. */
  readonly name: string;
  readonly target: AuditTarget;
}

/** Sends rows until the signal aborts. Rejects if the target fails. */
export const forwardRows = async (options: ForwardOptions, signal: AbortSignal): Promise<void> => {
  const positions = await readPositions(options);
  while (!signal.aborted) {
    await forwardStoredRows(options, positions, signal);
    await options.clock.sleep(SEND_INTERVAL_MS, signal);
  }
};

/** Sends the rows that the logs contain now. Rejects if the target fails. */
export const forwardOnce = async (options: ForwardOptions, signal: AbortSignal): Promise<void> =>
  forwardStoredRows(options, await readPositions(options), signal);

const forwardStoredRows = async (options: ForwardOptions, positions: Map<string, number>, signal: AbortSignal) => {
  for (const [house, end] of options.audit.ends()) {
    const stream = auditStreamOf(house);
    for (let after = positions.get(stream) ?? 0; after < end && !signal.aborted; after = positions.get(stream) ?? end)
      positions.set(stream, await forwardBatch(options, { house, after, end }, signal));
  }
};

/** Returns the name of the reader under which a target's positions are stored. */
const toReader = (name: string): string => `audit-target:${name}`;

const readPositions = async ({ store, name }: ForwardOptions): Promise<Map<string, number>> => {
  const rows = await store.select({ table: "readers", where: { reader: toReader(name) } });
  return new Map(rows.map(({ stream, offset }) => [stream, offset]));
};

/** Sends rows and returns the new position. `end` is the last row that no power cut can lose. */
const forwardBatch = async (
  { store, audit, name, target }: ForwardOptions,
  { house, after, end }: { readonly house: HouseId; readonly after: number; readonly end: number },
  signal: AbortSignal,
): Promise<number> => {
  const rows = await audit.page(house, after, Math.min(BATCH, end - after));
  const lastRow = rows.at(-1);
  if (lastRow === undefined) throw new Error(`row ${after + 1} of the audit log of ${house} cannot be read`);
  await target.send(
    rows.map((row) => toRows([row])),
    signal,
  );
  const row = { reader: toReader(name), stream: auditStreamOf(house), offset: lastRow.offset };
  // A power cut may lose the position. The rows are then sent again.
  await store.commit({ writes: [{ kind: "put", table: "readers", row }], isReproducible: true });
  return lastRow.offset;
};
