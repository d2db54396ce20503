/** Which rows name a blob: one that none names may go. */
import { isHearthError } from "@hearth/protocol";
import type { Blobs } from "./blobs.ts";
import { unpackBody } from "./bodies.ts";
import type { Store } from "./store.ts";
import type { Row } from "./tables.ts";

/** Whether a row has it as its own body. What activations were given is asked of `frozenNames`. */
export const isBody = async (store: Pick<Store, "select">, hash: string): Promise<boolean> => {
  const named = await Promise.all([
    store.select({ table: "steps", where: { output_blob: hash }, limit: 1 }),
    store.select({ table: "events", where: { blob: hash }, limit: 1 }),
    store.select({ table: "brain_bodies", where: { hash, text: null }, limit: 1 }),
    store.select({ table: "activations", where: { frozen_blob: hash }, limit: 1 }),
    store.select({ table: "compactions", where: { summary: hash }, limit: 1 }),
  ]);
  return named.some((rows) => rows.length > 0);
};

const HASH = /\b[0-9a-f]{64}\b/g;

/** Hashes in what an activation was given: of its parts, and of a summary. */
export const namesIn = (frozen: string): readonly string[] => frozen.match(HASH) ?? [];

/** What an activation was given, as text. Nothing where it has not begun, or where it was erased. */
export const frozenText = async (
  blobs: Pick<Blobs, "get">,
  { frozen: inline, frozen_blob: blob }: Pick<Row<"activations">, "frozen" | "frozen_blob">,
): Promise<string | undefined> =>
  inline === null && blob === null ? undefined : unpackBody(blobs, { inline, blob }).catch(unlessDamaged);

/** Activations that are looked through at once. */
const PAGE = 500;

/** Those of these hashes that something is in what an activation was given, which still is there to be read. */
export const frozenNames = async (
  store: Pick<Store, "select">,
  blobs: Pick<Blobs, "get">,
  hashes: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const named = new Set<string>();
  for (let after = ""; hashes.size > 0;) {
    const rows = await store.select({
      table: "activations",
      and: [{ column: "id", is: ">", value: after }],
      order: [{ column: "id" }],
      limit: PAGE,
    });
    for (const row of rows)
      for (const hash of namesIn((await frozenText(blobs, row)) ?? "")) if (hashes.has(hash)) named.add(hash);
    after = rows.at(-1)?.id ?? "";
    if (rows.length < PAGE) break;
  }
  return named;
};

/** What is not there holds no names. */
const unlessDamaged = (error: unknown): undefined => {
  if (!isHearthError(error, "store.damaged")) throw error;
};
