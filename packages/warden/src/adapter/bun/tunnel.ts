/** Runs the program of a tunnel, in a process group that ends with the house. */
import { HearthError } from "@hearth/protocol";
import type { environmentOf } from "./env.ts";
import type { TunnelParts } from "../../http/tunnel/programs.ts";

/** Maximum time for the program to end in order. */
const GRACE_PERIOD_MS = 3000;
/**
 * Maximum length of a line. A longer line is cut, so that output without line ends cannot fill the
 * memory.
 */
const MAX_LINE_LENGTH = 10_000;

/**
 * Runs "$@" until the pipe on its stdin closes, which also happens when the house is killed. The
 * children of the script are in its process group, which `setsid` or job control gave it.
 */
const WATCHED_SCRIPT = `exec 3<&0
"$@" </dev/null 3<&- &
program=$!
( while read -r _ <&3; do :; done; kill -s TERM "$program" 2>/dev/null; sleep ${GRACE_PERIOD_MS / 1000}; kill -s KILL "$program" 2>/dev/null ) </dev/null >/dev/null 2>&1 &
watch=$!
wait "$program"
code=$?
kill -s KILL "$watch" 2>/dev/null
exit "$code"`;

/**
 * Matches the environment variables that the program gets, for its settings and its network access.
 * They do not include the house's keys.
 */
const PASSED_VARIABLES =
  /^(PATH|HOME|USER|LOGNAME|LANG|LC_.*|TZ|TMPDIR|SSH_AUTH_SOCK|XDG_.*|(HTTPS?|ALL|NO)_PROXY|NGROK_.*|TUNNEL_.*|SSL_CERT_.*)$/i;

export const createRunProgram =
  (readEnvironment: typeof environmentOf): TunnelParts["run"] =>
  async (command, onLine, signal) => {
    const env = readEnvironment(PASSED_VARIABLES);
    const [name = "", ...programArguments] = command;
    const program = Bun.which(name, { PATH: env["PATH"] ?? "" });
    if (program === null)
      throw new HearthError("tunnel.failed", `${name} is not installed.`, {
        hint: `Install ${name}, or choose another tunnel: hearth tunnel open --help`,
      });
    if (signal.aborted) return { code: undefined };
    const child = Bun.spawn(["/bin/sh", "-c", WATCHED_SCRIPT, "sh", program, ...programArguments], {
      env,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    });
    const end = (): void => {
      Promise.resolve(child.stdin.end()).catch(() => undefined);
    };
    signal.addEventListener("abort", end, { once: true });
    try {
      await Promise.all([readLines(child.stdout, onLine), readLines(child.stderr, onLine)]);
      const code = await child.exited;
      return { code: child.signalCode === null ? code : undefined };
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  };

const readLines = async (stream: ReadableStream<Uint8Array>, onLine: (line: string) => void): Promise<void> => {
  const decoder = new TextDecoder();
  let incompleteLine = "";
  for await (const bytes of stream) {
    const lines = (incompleteLine + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    incompleteLine = (lines.pop() ?? "").slice(-MAX_LINE_LENGTH);
    for (const line of lines) onLine(line.slice(0, MAX_LINE_LENGTH));
  }
  if (incompleteLine !== "") onLine(incompleteLine);
};
