/** A socket that a child was started with, as a pipe of bytes. */
import { type BytePipe, createMailbox } from "@hearth/protocol";

/** Its types know these options and not that it takes them. */
const connect = Bun.connect as unknown as (options: Bun.FdSocketOptions) => Promise<Bun.Socket>;

export const openSocketPipe = async (fd: number): Promise<BytePipe> => {
  const incoming = createMailbox<Uint8Array>();
  let room: PromiseWithResolvers<void> | undefined;
  let open = true;
  const end = (): void => {
    open = false;
    incoming.close();
    room?.resolve();
  };
  const socket = await connect({
    fd,
    socket: {
      data: (_, bytes) => incoming.put(new Uint8Array(bytes)),
      drain: () => room?.resolve(),
      close: end,
      end,
      error: end,
    },
  });
  let written: Promise<void> = Promise.resolve();
  const write = async (bytes: Uint8Array): Promise<void> => {
    for (let length = 0; open && length < bytes.length;) {
      room = Promise.withResolvers();
      length += Math.max(0, socket.write(bytes.subarray(length)));
      if (length < bytes.length) await room.promise;
    }
  };
  return {
    bytes: incoming,
    write(bytes) {
      written = written.then(() => write(bytes));
      return written;
    },
    close: () => {
      socket.end();
    },
  };
};
