/** The database of a home: the one that was there before, and a new one only in a new home. */
import { HearthError } from "@hearth/protocol";
import type { SqlDatabase } from "../../kernel/store/database.ts";
import { openSqlite } from "./sqlite.ts";

/** Throws `store.unavailable` where a home that was lived in has lost its database: it would look like a house without messages. */
export const openHomeDatabase = (path: string, { isLivedIn }: { readonly isLivedIn: boolean }): SqlDatabase => {
  const database = openSqlite(path);
  try {
    if (isLivedIn && database.all("select 1 from sqlite_schema limit 1").length === 0) throw lost(path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const lost = (path: string): HearthError =>
  new HearthError("store.unavailable", `${path} is empty, though this home was lived in.`, {
    hint: "Restore it from a backup. To begin anew, move the home's `blobs` folder away as well.",
  });
