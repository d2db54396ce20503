/** Runs a program that speaks: text on its stdin, audio on its stdout, both bounded. */
import { HearthError } from "@hearth/protocol";
import type { environmentOf } from "./env.ts";
import type { RunSpeech } from "../../models/index.ts";

/** Maximum length of the program's stderr that is kept, in UTF-16 code units. */
const MAX_STDERR = 2_000;

/** The variables that programs need to find their voices. The house's own keys are not among them. */
const INHERITED_VARIABLES = /^(PATH|HOME|LANG|LC_.*|TMPDIR|ESPEAK_DATA_PATH|LD_LIBRARY_PATH)$/;

export const createRunSpeech =
  (readEnvironment: typeof environmentOf): RunSpeech =>
  async ([name, ...args], input, { maxBytes, signal }) => {
    const env = readEnvironment(INHERITED_VARIABLES);
    const program = Bun.which(name, { PATH: env["PATH"] ?? "" });
    if (program === null)
      throw new HearthError("provider.unknown", `The program ${name} is not installed.`, {
        hint: `Install ${name}, or set another program in Settings → Models.`,
      });
    signal.throwIfAborted();
    const child = Bun.spawn([program, ...args], {
      env,
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const killProgram = (): void => child.kill("SIGKILL");
    signal.addEventListener("abort", killProgram, { once: true });
    try {
      const [output, errors] = await Promise.all([readAll(child.stdout, maxBytes), readStart(child.stderr)]);
      const code = await child.exited;
      return { code: child.signalCode === null ? code : undefined, output, errors };
    } finally {
      signal.removeEventListener("abort", killProgram);
      // This affects only a program that has not ended.
      killProgram();
      await child.exited;
    }
  };

const readAll = async (stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> => {
  const pieces: Uint8Array<ArrayBufferLike>[] = [];
  let size = 0;
  for await (const piece of stream) {
    size += piece.length;
    if (size > maxBytes)
      throw new HearthError("provider.malformed", `The program wrote more than ${maxBytes} bytes of audio.`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces, size));
};

const readStart = async (stream: ReadableStream<Uint8Array>): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of stream)
    if (text.length < MAX_STDERR) text = (text + decoder.decode(piece, { stream: true })).slice(0, MAX_STDERR);
  return text;
};
