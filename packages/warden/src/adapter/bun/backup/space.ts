/** Checks that a disk has room for a copy of a database. */
import type { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../../kernel/store/database.ts";
import type { BackupDisk } from "./backup-disk.ts";

const RESERVE_BYTES = 16 * 1024 * 1024;
const MIB = 1024 * 1024;

/** Throws the error that `full` returns if the disk has no room for a copy of the whole database. */
export const requireSpace = async (
  disk: BackupDisk,
  database: SqlDatabase,
  to: string,
  full: (to: string, why: string) => HearthError,
): Promise<void> => {
  const pragma = (name: string): number => Number(database.all(`pragma ${name}`)[0]?.[name]);
  const neededBytes = pragma("page_count") * pragma("page_size") + RESERVE_BYTES;
  if ((await disk.freeBytes(to)) < neededBytes) throw full(to, `it needs ${Math.ceil(neededBytes / MIB)} MiB or more`);
};
