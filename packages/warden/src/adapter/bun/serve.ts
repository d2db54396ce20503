/**
 * The real port: Bun's server in front of the house's HTTP handler. It owns sockets and timeouts
 * and decides nothing else.
 */
import { type Clock, HearthError } from "@hearth/protocol";
import type { Connection } from "../../http/arrival.ts";
import type { Caller, Http, SocketPeer, SocketSession } from "../../http/http.ts";
import type { Reach } from "../../http/reach.ts";
import type { TunnelParts } from "../../http/tunnel/programs.ts";
import { isLoopback, isWildcard, type ServerConfig } from "../../kernel/config/text/server-text.ts";
import type { Log } from "../../kernel/log/log.ts";
import type { TlsFiles, TlsPort } from "./tls-port.ts";

export interface ServeOptions {
  readonly hostname: string;
  /** 0 chooses any free port. */
  readonly port: number;
  readonly http: Http;
  /** Clients of the TLS port, by the local port of their connection to this one. */
  readonly clients?: ReadonlyMap<number, string>;
  /** Whether the port is the end of a tunnel. */
  readonly isTunnel?: boolean;
}

export interface Serving {
  readonly port: number;
  /** Ends the connections of this port at once. The handler continues to serve other ports. */
  close(): Promise<void>;
  /** Accepts no new requests, ends streams, lets running requests finish, and closes. */
  stop(): Promise<void>;
}

/** The data of a socket: its caller, and its session once it is open. */
interface SocketData {
  readonly caller: Caller;
  session: SocketSession | undefined;
}

/**
 * How long a connection may be idle between two requests. Bun counts in steps of four seconds;
 * before the first request, Bun's own limit of ten seconds applies.
 */
const IDLE_SECONDS = 8;
/** Pings keep a socket well within this limit. */
const SOCKET_IDLE_SECONDS = 120;
const MAX_FRAME_SIZE = 1024 * 1024;
/** Unsent bytes at which Bun would drop frames. Far above what a session sends before it waits. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** How long running requests may take when the server stops. */
const STOP_GRACE_MS = 5_000;
/**
 * The core enforces its own body limit with its own error, and Bun buffers nothing unless it is
 * read.
 */
const UNLIMITED_BYTES = 2 ** 40;

/** Throws `server.port-taken`. */
export const serve = ({ hostname, port, http, clients, isTunnel = false }: ServeOptions): Serving => {
  const server = listen(hostname, port, () =>
    Bun.serve<SocketData>({
      hostname,
      port,
      development: false,
      // Outside development Bun would share the port with other programs that listen on it.
      reusePort: false,
      idleTimeout: IDLE_SECONDS,
      maxRequestBodySize: UNLIMITED_BYTES,
      async fetch(request, bunServer) {
        const connection = isTunnel ? { isTunnel } : toConnection(bunServer.requestIP(request), clients);
        if (request.headers.get("upgrade")?.toLowerCase() === "websocket") {
          const admitted = await http.admit(request, connection);
          if ("refusal" in admitted) {
            bunServer.timeout(request, IDLE_SECONDS);
            return admitted.refusal;
          }
          if (bunServer.upgrade(request, { data: { caller: admitted.caller, session: undefined } })) return undefined;
        }
        // From here on the house's own limits for bodies and waits apply.
        bunServer.timeout(request, 0);
        const response = await http.handle(request, connection);
        if (!isStream(response)) bunServer.timeout(request, IDLE_SECONDS);
        return response;
      },
      // `handle` never rejects. An error here must reveal nothing to clients.
      error: () => new Response(null, { status: 500 }),
      websocket: {
        maxPayloadLength: MAX_FRAME_SIZE,
        backpressureLimit: MAX_UNSENT_BYTES,
        closeOnBackpressureLimit: true,
        idleTimeout: SOCKET_IDLE_SECONDS,
        open(socket) {
          socket.data.session = http.connect(socket.data.caller, toPeer(socket));
        },
        message(socket, message) {
          if (typeof message === "string") socket.data.session?.onMessage(message);
          else socket.close(1003, "text frames only");
        },
        drain: (socket) => socket.data.session?.onDrain(),
        close: (socket) => socket.data.session?.onClose(),
      },
    }),
  );

  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    http.close();
    const finished = server.stop(false);
    const deadline = Promise.withResolvers<void>();
    const timer = setTimeout(deadline.resolve, STOP_GRACE_MS);
    await Promise.race([finished, deadline.promise]);
    clearTimeout(timer);
    await server.stop(true);
  };
  return {
    port: server.port ?? port,
    close: () => server.stop(true),
    stop: () => (stopping ??= stop()),
  };
};

export interface PortOptions {
  readonly server: ServerConfig;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly http: Http;
  readonly log: Log;
  readonly clock: Pick<Clock, "now" | "sleep">;
  /** The place of a key of `[server]`, such as "hearth.toml line 5". */
  readonly placeOf: (key: string) => string;
}

export interface Port {
  readonly reach: Reach;
  stop(): Promise<void>;
}

/**
 * Opens the port of the config, and a plain one on loopback for this machine if the first one has
 * TLS or another address. Throws `server.port-taken`, and `config.invalid` for a bad certificate.
 */
export const openPort = async (options: PortOptions): Promise<Port> => {
  const { http } = options;
  const { host, port, tls, trustedProxies, publicUrl } = options.server;
  const isOutside = !isLoopback(host);
  const needsLocal = tls !== undefined || (isOutside && !isWildcard(host));
  const clients = new Map<number, string>();
  const plainServer = serve({ hostname: needsLocal ? LOCAL : host, port: needsLocal ? 0 : port, http, clients });
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(plainServer.stop);
  const front =
    tls === undefined ? undefined : await openFront({ files: tls, target: plainServer.port, clients }, options);
  if (front !== undefined) cleanup.defer(front.stop);
  const addressServer = needsLocal && front === undefined ? serve({ hostname: host, port, http }) : undefined;
  if (addressServer !== undefined) cleanup.defer(addressServer.stop);
  const outside = `${inUrl(host)}:${(front ?? addressServer ?? plainServer).port}`;
  const ownUrl = publicUrl ?? (front === undefined ? undefined : new URL(`https://${outside}`).origin);
  const openServers = cleanup.move();
  return {
    reach: {
      localUrl: `http://${needsLocal || isWildcard(host) ? LOCAL : inUrl(host)}:${plainServer.port}`,
      ...(ownUrl === undefined ? {} : { publicUrl: ownUrl }),
      trustedProxies,
      onlyProxies: isOutside && tls === undefined,
      ...(isOutside ? { outside } : {}),
      ...(front === undefined ? {} : { certificate: front.certificate }),
    },
    stop: () => openServers.disposeAsync(),
  };
};

/** The TLS port in front of a plain port on loopback. */
interface TlsFront {
  readonly files: TlsFiles;
  /** The plain port. */
  readonly target: number;
  /** Client addresses by the local port of the connection to `target`. */
  readonly clients: Map<number, string>;
}

const openFront = async (
  { files, target, clients }: TlsFront,
  { server: { host, port }, home, log, clock, placeOf }: PortOptions,
): Promise<TlsPort> => {
  const { openTlsPort } = await import("./tls-port.ts");
  try {
    return await openTlsPort({ files, target, clients, hostname: host, port, home, log, clock, placeOf });
  } catch (error) {
    throw portTaken(error, host, port);
  }
};

/** Opens any free port on loopback for the program of a tunnel. */
export const listenForTunnel: TunnelParts["listen"] = async (http) =>
  serve({ hostname: LOCAL, port: 0, http, isTunnel: true });

const LOCAL = "127.0.0.1";
const inUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

/** The plain port gets the connections of the TLS port from 127.0.0.1 only. */
const toConnection = (from: Bun.SocketAddress | null, clients?: ReadonlyMap<number, string>): Connection => {
  const client = from?.address === LOCAL ? clients?.get(from.port) : undefined;
  return client === undefined ? { address: from?.address } : { address: client, isTls: true };
};

const isStream = (response: Response): boolean => response.headers.get("content-type") === "text/event-stream";

const listen = <Server>(hostname: string, port: number, start: () => Server): Server => {
  try {
    return start();
  } catch (error) {
    throw portTaken(error, hostname, port);
  }
};

/** Returns `server.port-taken` if that is the cause, and otherwise the error itself. */
const portTaken = (error: unknown, hostname: string, port: number): unknown =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    ? new HearthError("server.port-taken", `Port ${port} on ${hostname} is in use by another program.`, {
        hint: "If Hearth is already running, use it (hearth status). Otherwise choose another port: hearth up --port N",
        cause: error,
      })
    : error;

const toPeer = (socket: Bun.ServerWebSocket<SocketData>): SocketPeer => ({
  send(text) {
    const result = socket.send(text);
    // Bun returns the bytes sent, -1 when they wait in memory, 0 when they were dropped.
    return result > 0 ? "sent" : result === -1 ? "full" : "gone";
  },
  close: (code, reason) => socket.close(code, reason),
});
