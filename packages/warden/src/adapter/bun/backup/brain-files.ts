/**
 * Makes the brain files of a backup match its database. The files are copied before the database,
 * so the house may have changed a file after its copy. A restored house would take the older text
 * for an edit by its owner.
 */
import { type AgentId, isHearthError } from "@hearth/protocol";
import { createBodyReader } from "../../../agents/brains/bodies.ts";
import type { Blobs } from "../../../kernel/store/blobs.ts";
import type { ReadableDatabase } from "../audit/offline-audit-log.ts";
import { createBunWorld } from "../world.ts";
import type { Snapshot } from "./snapshot.ts";

/** The last version of each agent's brain. */
export type BrainVersions = ReadonlyMap<string, number>;

export const readBrainVersions = (database: ReadableDatabase): BrainVersions =>
  new Map(
    database
      .all("select agent, max(place) as place from brain_versions group by agent")
      .map(({ agent, place }) => [String(agent), Number(place)]),
  );

/** A file with the content that the database of the backup records. Without bytes, the file was removed. */
export interface BrainCorrection {
  readonly agent: AgentId;
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Yields the files whose copy is out of date: the content of the copy was replaced by a version
 * after `before`, or by a version that was committed and not yet written to the disk. `hashOf` is
 * the hash of the copy; `null` without a copy. A file that its owner edited by hand keeps that
 * edit.
 */
export const findBrainCorrections = async function* (options: {
  readonly snapshot: Snapshot;
  readonly before: BrainVersions;
  readonly blobs: Pick<Blobs, "get">;
  readonly hashOf: (agent: AgentId, path: string) => string | null;
}): AsyncGenerator<BrainCorrection> {
  const { snapshot, before, hashOf } = options;
  for (const { agent, path, hash, settled } of await snapshot.select({ table: "brain_files" })) {
    const copyHash = hashOf(agent, path);
    if (copyHash === hash) continue;
    const versions = await snapshot.select({
      table: "brain_versions",
      where: { agent, path },
      order: [{ column: "place" }],
    });
    const lastPlace = before.get(agent) ?? 0;
    const wasReplaced = versions.some(
      (version, index) =>
        version.before === copyHash && (version.place > lastPlace || (settled === 0 && index === versions.length - 1)),
    );
    if (!wasReplaced) continue;
    const bytes = hash === null ? undefined : await readBody(options, agent, hash);
    if (hash === null || bytes !== undefined) yield { agent, path, bytes };
  }
};

/** Returns undefined if the content is lost. The copied file then stays. */
const readBody = async (
  { snapshot, blobs }: { readonly snapshot: Snapshot; readonly blobs: Pick<Blobs, "get"> },
  agent: AgentId,
  hash: string,
): Promise<Uint8Array | undefined> => {
  try {
    return await createBodyReader({ agent, hash: createBunWorld().hash, store: snapshot, blobs })(hash);
  } catch (error) {
    if (isHearthError(error, "store.damaged")) return undefined;
    throw error;
  }
};
