/**
 * Implements `DoorHost` on Bun: a listener on the cell's loopback, and temporary files for
 * commands.
 */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CellConnection, DoorHost, Listener } from "../../egress/door.ts";

export const createBunDoorHost = (): DoorHost => {
  const folders: string[] = [];
  return {
    async listen(serve) {
      // Loaded on demand, because few cells use the network and loading takes as long as a hello.
      const { createServer } = await import("node:net");
      const sockets = new Set<Socket>();
      const server = createServer({ allowHalfOpen: true }, (socket) => {
        sockets.add(socket);
        socket.on("close", () => sockets.delete(socket));
        serve(toConnection(socket));
      });
      const { promise, resolve, reject } = Promise.withResolvers<Listener>();
      server.on("error", reject);
      server.listen(0, "127.0.0.1", () => {
        const address = server.address();
        const port = typeof address === "object" && address !== null ? address.port : 0;
        resolve({
          port,
          close() {
            server.close();
            for (const socket of sockets) socket.destroy();
          },
        });
      });
      return promise;
    },
    async writeTextFile(text) {
      const folder = await mkdtemp(join(tmpdir(), "hearth-egress-"));
      folders.push(folder);
      // Commands can run as a different user than the inmate, so all users may read the folder.
      await chmod(folder, 0o755);
      const path = join(folder, "authority.pem");
      await writeFile(path, text, { mode: 0o644 });
      return path;
    },
    async deleteFiles() {
      for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
    },
  };
};

const toConnection = (socket: Socket): CellConnection => {
  // Ignored here, because readers and writers get the error.
  socket.on("error", () => {});
  const read = async function* (): AsyncGenerator<Uint8Array> {
    for await (const bytes of socket.iterator({ destroyOnReturn: false })) yield bytes as Uint8Array;
  };
  return {
    bytes: read(),
    async write(bytes) {
      if (!socket.writable) throw new Error("The connection is closed for writing.");
      if (socket.write(bytes)) return;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          for (const name of ["drain", "close"]) socket.off(name, wake);
          resolve();
        };
        for (const name of ["drain", "close"]) socket.on(name, wake);
      });
    },
    end: () => {
      socket.end();
    },
    reset: () => {
      socket.destroy();
    },
  };
};
