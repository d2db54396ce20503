/**
 * Shared by tests of the audit log: a log in memory whose rows a test can change, as an attacker
 * with the database could.
 */
import type { AuditHead, AuditReport, AuditRow, HouseId } from "@hearth/protocol";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createBunHmac } from "../../adapter/bun/audit/hmac.ts";
import { createSealKeys, currentKeyPosition, type SealKeys } from "../store/seal.ts";
import { sealerOf } from "./audit.ts";
import { markHead } from "./heads.ts";
import { auditStreamOf } from "./source.ts";
import { verifyLog } from "./verify.ts";

const world = createBunWorld();
export const hmac = createBunHmac(new Uint8Array(32).fill(3));
export const keys = createSealKeys([hmac]);
export const sealer = sealerOf(keys);
export const otherKeys = createSealKeys([createBunHmac(new Uint8Array(32).fill(4))]);
export const otherSealer = sealerOf(otherKeys);
export const HOUSE = `house_${"0".repeat(26)}` as HouseId;
export const ANNEX = `house_${"1".repeat(26)}` as HouseId;

/** Creates a valid log, in which the seal of each row covers the seal of the row before it. */
export const chain = (
  house: HouseId,
  bodies: readonly string[],
  by = sealer,
  firstRows: readonly AuditRow[] = [],
): AuditRow[] => {
  const rows = [...firstRows];
  for (const body of bodies) {
    const offset = rows.length + 1;
    const row = {
      ...{ stream: auditStreamOf(house), offset, id: world.ids.fresh("evt"), type: "step", at: 1000 + offset },
      ...{ body, blob: null, labels: null },
    };
    rows.push({ ...row, seal: by.seal(rows.at(-1)?.seal ?? null, row) });
  }
  return rows;
};

/** Returns the anchored head for a log of this length. */
export const headOf = (rows: readonly AuditRow[], house = HOUSE, by: SealKeys = keys): AuditHead => {
  const lastRow = rows.at(-1);
  return markHead(by, { house, offset: lastRow?.offset ?? 0, seal: lastRow?.seal ?? "", at: 9 });
};

export const verify = (
  rows: readonly AuditRow[],
  heads: readonly AuditHead[],
  options: { readonly house?: HouseId; readonly end?: number; readonly by?: SealKeys } = {},
): Promise<AuditReport> => {
  const { house = HOUSE, end, by = keys } = options;
  const pages = (async function* () {
    yield* [rows.slice(0, 2), rows.slice(2)];
  })();
  return verifyLog({
    house,
    stream: auditStreamOf(house),
    pages,
    heads,
    keys: by,
    present: currentKeyPosition(by),
    ...(end === undefined ? {} : { end: () => Promise.resolve(end) }),
  });
};
