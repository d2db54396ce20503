/**
 * An instant model on loopback: reads a request, stamps it, answers with bytes that were made before. Its other two paths are
 * for the bench: what it stamped, and the last request as it came.
 */
import { sharedNow } from "../clock.ts";
import { lastMark } from "./marks.ts";
import { callBytes } from "./orders.ts";
import { replyBytes, type Wire, wireOf } from "./wires.ts";

/** Mark → when its request had arrived whole, and when the answer was about to leave, on the shared clock. */
export type Stamps = Readonly<Record<string, readonly [arrivedMs: number, answeredMs: number]>>;

export interface LastRequest {
  readonly wire: Wire;
  /** The body, byte for byte. */
  readonly body: string;
}

export const serveModel = () => {
  const replies = replyBytes();
  const headers = { "content-type": "text/event-stream" };
  let stamps: Record<string, readonly [number, number]> = {};
  let last: LastRequest | undefined;

  return Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (pathname === "/stamps") {
        const taken = stamps;
        stamps = {};
        return Response.json(taken);
      }
      if (pathname === "/last") return Response.json(last ?? null);
      const wire = wireOf(pathname);
      if (wire === undefined) return new Response("This model speaks no such wire.", { status: 404 });
      const body = await request.text();
      const arrivedMs = sharedNow();
      last = { wire, body };
      const mark = lastMark(body);
      const call = wire === "openai" ? callBytes(body) : undefined;
      const response = new Response(call ?? replies[wire], { headers });
      if (mark !== undefined) stamps[mark] = [arrivedMs, sharedNow()];
      return response;
    },
  });
};
