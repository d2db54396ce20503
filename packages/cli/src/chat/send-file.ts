/** Uploads the file of a message, with its progress on stderr. */
import type { Client } from "@hearth/client";
import { showSize, type UploadId } from "@hearth/protocol";
import type { Context } from "../command.ts";
import { safeLine } from "../show/safe-text.ts";

/** Minimum time between two updates of the progress at a terminal. */
const PROGRESS_INTERVAL_MS = 200;

/**
 * Uploads a file and returns its id. The path `-` is stdin. Throws `UsageError` for a file that
 * cannot be read.
 */
export const sendFile = async ({ terminal, output }: Context, client: Client, path: string): Promise<UploadId> => {
  const source = await terminal.openFile(path);
  const name = safeLine(source.name);
  const controller = new AbortController();
  const removeInterrupt = terminal.onInterrupt(() => controller.abort());
  let shownAt = 0;
  const showProgress = (sentBytes: number): void => {
    if (!terminal.stderrIsTerminal || (sentBytes < source.sizeBytes && terminal.now() - shownAt < PROGRESS_INTERVAL_MS))
      return;
    shownAt = terminal.now();
    const percent = Math.floor((sentBytes / source.sizeBytes) * 100);
    terminal.err(
      `\r${name}: ${percent} % of ${showSize(source.sizeBytes)}${sentBytes === source.sizeBytes ? "\n" : ""}`,
    );
  };
  try {
    const uploads = await client.uploads();
    const attachment = await uploads.send(source, { onProgress: showProgress, signal: controller.signal });
    if (!terminal.stderrIsTerminal) output.note(`Sent ${name}, ${showSize(source.sizeBytes)}.`);
    return attachment.id;
  } finally {
    removeInterrupt();
  }
};
