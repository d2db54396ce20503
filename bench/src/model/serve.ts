/**
 * An instant model on loopback: reads a request, records timestamps and sends a prepared response.
 * Two more paths are for the bench: the timestamps, and the last request.
 */
import { sharedNow } from "../clock.ts";
import { lastMark } from "./marks.ts";
import { callBytes } from "./orders.ts";
import { replyBytes, type Wire, wireOf } from "./wires.ts";

/**
 * Times of each mark on the shared clock: when its request had arrived completely, and when the
 * response was about to be sent.
 */
export type Stamps = Readonly<Record<string, readonly [arrivedMs: number, answeredMs: number]>>;

export interface LastRequest {
  readonly wire: Wire;
  /** The unchanged body. */
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
      if (wire === undefined) return new Response("Unknown path.", { status: 404 });
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
