/** Converts documents of the workspace to text. Each conversion runs in a new process of the cell. */
import { join } from "node:path";
import { DocumentText, MAX_DOCUMENT_TEXT } from "@hearth/protocol/documents";
import type { Spawn } from "../../tools/spawn.ts";
import type { ReadDocument } from "../../tools/tool.ts";

/** Maximum size of a result. A character has at most six bytes in JSON. */
const MAX_RESULT_BYTES = MAX_DOCUMENT_TEXT * 6;

export const createReadDocument = (options: {
  readonly spawn: Pick<Spawn, "run">;
  readonly command: readonly string[];
  readonly workspace: string;
}): ReadDocument => {
  const { spawn, command, workspace } = options;
  /** The last converted document. It is kept because the model reads a long document in several calls. */
  let lastConversion: { readonly key: string; readonly result: DocumentText } | undefined;

  const convert = async (path: string, signal: AbortSignal): Promise<DocumentText> => {
    const { end, code, output } = await spawn.run(
      { argv: [...command, join(workspace, path)], cwd: "/", env: {}, maxOutputSize: MAX_RESULT_BYTES },
      signal,
    );
    if (end === "stopped") return { kind: "refused", why: "Reading the document took too long." };
    if (end === "exited" && code === 0) return DocumentText.parse(JSON.parse(output));
    return {
      kind: "refused",
      why: "The process that read the document ended, because it needed more resources than the cell allows.",
    };
  };

  return async (path, bytes, signal) => {
    const key = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
    if (lastConversion?.key === key) return lastConversion.result;
    const result = await convert(path, signal);
    if (result.kind === "text") lastConversion = { key, result };
    return result;
  };
};
