/**
 * Replaces the key of the audit logs. The new key is on the disk before a commit uses it. The
 * present key stays the present one until the anchor has the heads that the new key marks.
 * Therefore a call after an interruption at any point completes the rotation.
 */
import type { AuditFacts, AuditKeyRotation } from "@hearth/protocol";
import type { Actor } from "../config/source.ts";
import { KEY_ROTATED, type ReplaceableKeys } from "../store/seal.ts";
import type { Store } from "../store/store.ts";
import type { AuditEntry } from "./audit-rows.ts";
import type { AnchorWriter } from "./heads.ts";
import type { AuditSource } from "./source.ts";

export interface RotateKeyOptions {
  readonly store: Pick<Store, "waitUntilIdle">;
  readonly source: Pick<AuditSource, "houses">;
  readonly keys: ReplaceableKeys;
  readonly keeper: Pick<AnchorWriter, "flush">;
  /** Writes rows in one commit. */
  readonly write: (entries: readonly AuditEntry[]) => Promise<void>;
}

/** Throws `store.*` and `home.read-only`. */
export const rotateKey = async (options: RotateKeyOptions, by?: Actor): Promise<AuditKeyRotation> => {
  const { store, source, keys, keeper, write } = options;
  const { id } = await keys.prepare();
  // A house that is added from now on begins with the new key.
  const houses = await source.houses();
  const facts = { change: KEY_ROTATED, audit_key: id, ...(by === undefined ? {} : toFacts(by)) };
  await write(houses.map((house) => ({ house, type: "log", facts })));
  // With `durability = "process"`, a power cut could otherwise remove rows that the present key requires.
  await store.waitUntilIdle();
  await keeper.flush();
  await keys.confirm();
  return { key: id, houses: houses.length };
};

const toFacts = ({ agent, ...credential }: Actor): AuditFacts => ({ by: agent, ...credential });
