/**
 * The real port: Bun's server in front of the house's HTTP handler. It owns sockets and timeouts
 * and decides nothing else.
 */
import { HearthError } from "@hearth/protocol";
import type { Caller, Http, SocketPeer, SocketSession } from "../../http/http.ts";

export interface ServeOptions {
  readonly hostname: string;
  /** 0 chooses any free port. */
  readonly port: number;
  readonly http: Http;
}

export interface Serving {
  readonly port: number;
  /** Accepts no new requests, ends streams, lets running requests finish, and closes. */
  stop(): Promise<void>;
}

/** The data of a socket: its caller, and its session once it is open. */
interface Data {
  readonly caller: Caller;
  session: SocketSession | undefined;
}

/**
 * How long a connection may be idle between two requests. Bun counts in steps of four seconds;
 * before the first request its own limit of ten applies.
 */
const IDLE_SECONDS = 8;
/** Pings keep a socket well within this limit. */
const SOCKET_IDLE_SECONDS = 120;
const MAX_FRAME_SIZE = 1024 * 1024;
/** Unsent bytes at which Bun would drop frames. Far above what a session sends before it waits. */
const MAX_UNSENT = 64 * 1024 * 1024;
/** How long running requests may take when the server stops. */
const GRACE_MS = 5_000;
/**
 * The core enforces its own body limit with its own error, and Bun buffers nothing unless it is
 * read.
 */
const ANY_SIZE = 2 ** 40;

/** Throws `server.port-taken`. */
export const serve = ({ hostname, port, http }: ServeOptions): Serving => {
  const server = listen(hostname, port, () =>
    Bun.serve<Data>({
      hostname,
      port,
      development: false,
      // Outside development Bun would share the port with other programs that listen on it.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: ANY_SIZE,
      async fetch(request, bun) {
        const peer = bun.requestIP(request)?.address;
        if (request.headers.get("upgrade")?.toLowerCase() === "websocket") {
          const admitted = await http.admit(request, peer);
          if ("refusal" in admitted) {
            bun.timeout(request, IDLE_SECONDS);
            return admitted.refusal;
          }
          if (bun.upgrade(request, { data: { caller: admitted.caller, session: undefined } })) return undefined;
        }
        // From here on the house's own limits for bodies and waits apply.
        bun.timeout(request, 0);
        const response = await http.handle(request, peer);
        if (!isStream(response)) bun.timeout(request, IDLE_SECONDS);
        return response;
      },
      // `handle` never rejects; an error here must reveal nothing to clients.
      error: () => new Response(null, { status: 500 }),
      websocket: {
        maxPayloadLength: MAX_FRAME_SIZE,
        backpressureLimit: MAX_UNSENT,
        closeOnBackpressureLimit: true,
        idleTimeout: SOCKET_IDLE_SECONDS,
        open(socket) {
          socket.data.session = http.connect(socket.data.caller, toPeer(socket));
        },
        message(socket, message) {
          if (typeof message === "string") socket.data.session?.message(message);
          else socket.close(1003, "text frames only");
        },
        drain: (socket) => socket.data.session?.drained(),
        close: (socket) => socket.data.session?.closed(),
      },
    }),
  );

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    http.close();
    const finished = server.stop(false);
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, GRACE_MS);
    await Promise.race([finished, late.promise]);
    clearTimeout(timer);
    await server.stop(true);
  };
  return {
    port: server.port ?? port,
    stop: () => (stopping ??= stop()),
  };
};

const isStream = (response: Response): boolean => response.headers.get("content-type") === "text/event-stream";

const listen = <Server>(hostname: string, port: number, start: () => Server): Server => {
  try {
    return start();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new HearthError("server.port-taken", `Port ${port} on ${hostname} is in use by another program.`, {
      hint: "If Hearth is already running, use it (hearth status). Otherwise choose another port: hearth up --port N",
      cause: error,
    });
  }
};

const toPeer = (socket: Bun.ServerWebSocket<Data>): SocketPeer => ({
  send(text) {
    const result = socket.send(text);
    // Bun returns the bytes sent, -1 when they wait in memory, 0 when they were dropped.
    return result > 0 ? "sent" : result === -1 ? "full" : "gone";
  },
  close: (code, reason) => socket.close(code, reason),
});
