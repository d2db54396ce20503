/** Starts a process that answers one request with JSON. */

export interface AskProcessOptions {
  /** The file that the process runs. */
  readonly entry: string;
  /** The request. The process gets it as JSON on its input, because other users of the machine can see arguments. */
  readonly request: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the process. */
  readonly signal: AbortSignal;
}

/** Returns the answer of the process, from JSON. Throws an error with the process's last output. */
export const askProcess = async ({ entry, request, env, signal }: AskProcessOptions): Promise<unknown> => {
  const child = Bun.spawn([process.execPath, "--no-install", "--no-env-file", entry], {
    stdin: new TextEncoder().encode(JSON.stringify(request)),
    stdout: "pipe",
    stderr: "pipe",
    env,
    signal,
  });
  const [text, failure, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(failure.trim().slice(-500) || `the process ended with exit code ${code}`);
  return JSON.parse(text);
};
