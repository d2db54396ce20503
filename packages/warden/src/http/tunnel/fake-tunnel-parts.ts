/** Programs and ports of tunnels in memory. The test writes their output and ends them. */
import { HearthError } from "@hearth/protocol";
import type { Http } from "../http.ts";
import type { ProgramEnd, TunnelParts } from "./programs.ts";

export interface FakeProgram {
  readonly command: readonly string[];
  say(line: string): void;
  end(code: number): void;
}

export interface FakeTunnelParts extends TunnelParts {
  /** Every program that was started, in that order. */
  readonly programs: readonly FakeProgram[];
  /** The programs that run now. */
  running(): number;
  /** Returns the number of ports that are open now. */
  ports(): number;
  /** A request at the newest port. Rejects if it is closed. */
  request(url: string): Promise<Response>;
}

/** Creates the parts. `missing` names programs that are not installed. */
export const createFakeTunnelParts = (missing: ReadonlySet<string> = new Set()): FakeTunnelParts => {
  const programs: FakeProgram[] = [];
  let runningCount = 0;
  let portCount = 0;
  let newestHttp: Http | undefined;
  return {
    programs,
    running: () => runningCount,
    ports: () => portCount,
    async request(url) {
      if (newestHttp === undefined) throw new TypeError("connection refused");
      return newestHttp.handle(new Request(url));
    },
    async listen(http) {
      portCount += 1;
      newestHttp = http;
      return {
        port: 4000,
        async close() {
          portCount -= 1;
          if (newestHttp === http) newestHttp = undefined;
        },
      };
    },
    async run(command, onLine, signal) {
      const [name = ""] = command;
      if (missing.has(name)) throw new HearthError("tunnel.failed", `${name} is not installed.`);
      if (signal.aborted) return { code: undefined };
      const programEnd = Promise.withResolvers<ProgramEnd>();
      signal.addEventListener("abort", () => programEnd.resolve({ code: undefined }), { once: true });
      programs.push({ command, say: onLine, end: (code) => programEnd.resolve({ code }) });
      runningCount += 1;
      try {
        return await programEnd.promise;
      } finally {
        runningCount -= 1;
      }
    },
  };
};
