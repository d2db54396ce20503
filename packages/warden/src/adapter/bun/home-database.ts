/** Opens the database of a home. A new one is created only in a new home. */
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";
import { openSqlite } from "./sqlite.ts";

/**
 * Throws `store.unavailable` when a used home has lost its database, because it would look like an
 * empty house.
 */
export const openHomeDatabase = (path: string, { isUsed }: { readonly isUsed: boolean }): SqlDatabase => {
  const database = openSqlite(path);
  try {
    if (isUsed && database.all("select 1 from sqlite_schema limit 1").length === 0) throw lost(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const lost = (path: string): HearthError =>
  new HearthError("store.unavailable", `${path} is empty, although this home has been used.`, {
    hint: "Restore it from a backup. To start with an empty house, move the home's `blobs` folder elsewhere as well.",
  });
