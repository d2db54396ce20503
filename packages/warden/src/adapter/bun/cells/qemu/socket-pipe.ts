/** Opens a socket that a child process inherited as a byte pipe. */
import { type BytePipe, createMailbox } from "@hearth/protocol";

/** `Bun.connect` accepts these options, but its types do not list them. */
const connect = Bun.connect as unknown as (options: Bun.FdSocketOptions) => Promise<Bun.Socket>;

export const openSocketPipe = async (fd: number): Promise<BytePipe> => {
  const incoming = createMailbox<Uint8Array>();
  let drained: PromiseWithResolvers<void> | undefined;
  let isOpen = true;
  const handleEnd = (): void => {
    isOpen = false;
    incoming.close();
    drained?.resolve();
  };
  const socket = await connect({
    fd,
    socket: {
      data: (_, bytes) => incoming.put(new Uint8Array(bytes)),
      drain: () => drained?.resolve(),
      close: handleEnd,
      end: handleEnd,
      error: handleEnd,
    },
  });
  let latestWrite: Promise<void> = Promise.resolve();
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let length = 0; isOpen && length < bytes.length;) {
      drained = Promise.withResolvers();
      length += Math.max(0, socket.write(bytes.subarray(length)));
      if (length < bytes.length) await drained.promise;
    }
  };
  return {
    bytes: incoming,
    write(bytes) {
      latestWrite = latestWrite.then(() => write(bytes));
      return latestWrite;
    },
    close: () => {
      socket.end();
    },
  };
};
