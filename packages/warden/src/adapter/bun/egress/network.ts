/**
 * Opens connections to checked addresses. Ignores the environment, so no proxy that it names is
 * used.
 */
import { connect as connectPlain, type Socket } from "node:net";
import { checkServerIdentity, connect as connectTls, type TLSSocket } from "node:tls";
import { HearthError } from "@hearth/protocol";
import { parseAddress } from "../../../policy/network/address.ts";
import type { Connection, DialRequest, Network } from "../../../cells/egress/network/network.ts";

export const createBunNetwork = (): Network => ({
  dial({ address, port, tlsHost }: DialRequest, signal: AbortSignal) {
    const { promise, resolve, reject } = Promise.withResolvers<Connection>();
    const peer = tlsHost ?? address;
    if (parseAddress(address) === undefined) throw new HearthError("house.bug", `${address} is not an IP address.`);
    const socket =
      tlsHost === undefined ? connectPlain({ host: address, port }) : connectSecure(address, port, tlsHost);
    const failDial = (error: Error): void => reject(failedError(peer, error));
    const stop = (): void => {
      socket.destroy();
      reject(new HearthError("egress.failed", `The connection to ${peer} was aborted.`));
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    socket.once("error", failDial);
    socket.once("close", () => failDial(new Error("it was closed")));
    socket.once(tlsHost === undefined ? "connect" : "secureConnect", () => {
      socket.off("error", failDial);
      resolve(toConnection(socket));
    });
    return promise.finally(() => signal.removeEventListener("abort", stop));
  },
});

/** The certificate is verified against the host name. The address only says where to connect. */
const connectSecure = (address: string, port: number, host: string): TLSSocket =>
  connectTls({
    host: address,
    port,
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    ...(parseAddress(host) === undefined ? { servername: host } : {}),
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
  });

const toConnection = (socket: Socket): Connection => {
  // Readers and writers get the error. Without a listener, the error would end the daemon.
  socket.on("error", () => {});
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of socket) yield bytes as Uint8Array;
  };
  return {
    bytes: read(),
    async write(bytes) {
      if (!socket.writable) throw failedError("It", new Error("it takes no more"));
      if (socket.write(bytes)) return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          for (const name of ["drain", "close"]) socket.off(name, wake);
          resolve();
        };
        for (const name of ["drain", "close"]) socket.on(name, wake);
      });
      if (socket.destroyed) throw failedError("It", new Error("it was closed"));
    },
    end: () => {
      socket.end();
    },
    reset: () => {
      socket.destroy();
    },
  };
};

const failedError = (peer: string, error: Error): HearthError => {
  const code = "code" in error && typeof error.code === "string" ? error.code : error.message;
  return new HearthError("egress.failed", `${peer} could not be reached: ${code}.`, { cause: error });
};
