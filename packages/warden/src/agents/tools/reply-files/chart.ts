/**
 * Draws a chart and attaches it to the turn's reply, like a file with `attach`. The data comes from
 * the specification or from a file of the workspace. The chart is drawn in a separate cell, and a
 * copy of it is written into the workspace.
 */
import { HearthError, type World } from "@hearth/protocol";
import { CHARTS, MAX_CHART_DATA_BYTES } from "@hearth/protocol/charts";
import { attachToReply, type NewFile, openInWorkspace } from "./attach.ts";
import type { HostCall } from "../call.ts";
import type { ReplyFileParts } from "../parts.ts";
import type { RunHostTool, WorkspaceCopy } from "../tool.ts";

export const chart: RunHostTool<"chart", ReplyFileParts> = async ({ spec, path, name, caption }, call, parts) => {
  const files: WorkspaceCopy[] = [];
  const produce = async (): Promise<NewFile> => {
    const table = path === undefined ? {} : { table: await readTable(path, call, parts) };
    const result = await parts.documents.draw({ spec, ...table });
    if (result.kind === "refused") throw refusedError(result.why);
    const bytes = new TextEncoder().encode(result.svg);
    const stem = baseNameOf(name, path);
    files.push({ path: `${CHARTS}/${copyNameOf(stem, bytes, parts.world)}`, bytes });
    return toFile(`${stem}.svg`, bytes);
  };
  const outcome = await attachToReply({ caption, produce }, call, parts);
  const [copy] = files;
  if (outcome.failed || copy === undefined) return outcome;
  return { ...outcome, text: `${outcome.text} A copy is in your workspace: ${copy.path}`, files };
};

const readTable = async (path: string, call: HostCall, parts: ReplyFileParts): Promise<string> => {
  const file = await openInWorkspace(path, call, parts);
  if (file.sizeBytes > MAX_CHART_DATA_BYTES)
    throw refusedError(
      `${JSON.stringify(path)} has more than ${MAX_CHART_DATA_BYTES >> 20} MiB. Aggregate it in the workspace first.`,
    );
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  try {
    for await (const piece of file.read(0, file.sizeBytes)) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw refusedError(`${JSON.stringify(path)} is not a text in UTF-8. Save it as CSV or JSON.`);
  }
};

const refusedError = (why: string): HearthError => new HearthError("tool.denied", `The chart was not drawn. ${why}`);

/** "sales.csv" gives "sales". */
const baseNameOf = (name: string | undefined, path: string | undefined): string => {
  const fileName = name ?? path?.slice(path.lastIndexOf("/") + 1) ?? "chart";
  return fileName.replace(/\.(svg|csv|tsv|json)$/iu, "");
};

const MAX_COPY_NAME_LENGTH = 40;
const HASH_DIGITS = 8;

/**
 * Names the copy: "Sales of May" gives "Sales-of-May-1f3a9c2e.svg". The hash keeps an earlier chart
 * of the same name.
 */
const copyNameOf = (stem: string, bytes: Uint8Array, world: Pick<World, "hasher">): string => {
  const words = stem.match(/[\p{L}\p{N}]+/gu) ?? [];
  const baseName = [...words.join("-")].slice(0, MAX_COPY_NAME_LENGTH).join("").replace(/-$/, "") || "chart";
  const hasher = world.hasher();
  hasher.update(bytes);
  return `${baseName}-${hasher.digest().slice(0, HASH_DIGITS)}.svg`;
};

/** Clients recognise the picture by the extension of its name. */
const toFile = (name: string, bytes: Uint8Array): NewFile => ({
  name,
  sizeBytes: bytes.length,
  async *read(from, to) {
    yield bytes.subarray(from, to);
  },
});
