/** Answers with files as one zip archive, which is made while the client reads it. */
import type { CollectedFiles, WorkspaceFile } from "../../agents/index.ts";
import { bytesAnswer } from "../answer.ts";
import { toDisposition } from "./download-answer.ts";

export interface Archive extends CollectedFiles {
  /** Without an extension. */
  readonly name: string;
  /** The folder that the paths in the archive begin below. Empty or ends with `/`. */
  readonly basePath: string;
  readonly madeAt: number;
}

/** Name of the file in the archive that lists what the archive does not contain. */
const LEFT_OUT_NAME = "left-out.txt";

export const zipAnswer = async ({ method }: Request, archive: Archive): Promise<Response> => {
  const headers = { "content-type": "application/zip", "content-disposition": toDisposition(`${archive.name}.zip`) };
  if (method === "HEAD") return bytesAnswer(null, 200, headers);
  // Loaded for the first archive.
  const { makeZip } = await import("client-zip");
  return bytesAnswer(makeZip(toEntries(archive)), 200, headers);
};

function* toEntries({ files, leftOut, basePath, madeAt }: Archive) {
  const names = files.map(({ path }) => path.slice(basePath.length));
  for (const [index, file] of files.entries())
    yield {
      name: names[index],
      lastModified: new Date(file.changedAt),
      size: file.sizeBytes,
      input: contentOf(file),
    };
  if (leftOut.length === 0) return;
  let name = LEFT_OUT_NAME;
  while (names.includes(name)) name = `_${name}`;
  const lines = leftOut.map(({ path, why }) => `${JSON.stringify(path.slice(basePath.length))} ${why}\n`);
  yield { name, lastModified: new Date(madeAt), input: lines.join("") };
}

async function* contentOf(file: WorkspaceFile): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for await (const piece of file.read(0, file.sizeBytes)) yield new Uint8Array(piece);
}
