/** Starts the instant model in its own process and reads what it recorded. */
import { fileURLToPath } from "node:url";
import { startChild } from "../child.ts";
import { loopback } from "../loopback.ts";
import type { Site } from "../site.ts";
import type { LastRequest, Stamps } from "./serve.ts";
import type { Wire } from "./wires.ts";

export interface Model extends AsyncDisposable {
  readonly pid: number;
  /** The `base_url` for a provider with this wire. */
  baseUrl(wire: Wire): string;
  /** Returns and clears the recorded timestamps. */
  takeStamps(): Promise<Stamps>;
  lastRequest(): Promise<LastRequest>;
}

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));
const LISTENING = "listening ";

export const startModel = async (site: Site): Promise<Model> => {
  const child = startChild(site, { command: [process.execPath, "--no-install", MAIN], cwd: site.root });
  const { text } = await child.line(LISTENING);
  const root = `http://127.0.0.1:${text.slice(LISTENING.length)}`;
  return {
    pid: child.pid,
    baseUrl: (wire) => (wire === "openai" ? `${root}/v1` : root),
    takeStamps: async () => (await (await loopback(`${root}/stamps`)).json()) as Stamps,
    async lastRequest() {
      const last = (await (await loopback(`${root}/last`)).json()) as LastRequest | null;
      if (last === null) throw new Error("No request has reached the model.");
      return last;
    },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
};
