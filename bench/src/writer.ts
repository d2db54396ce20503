/** Posts messages over a socket. `post` resolves when the house has acknowledged the message. */
import type { RoomId, SocketFrame } from "@hearth/protocol";
import type { House } from "./house.ts";
import type { Site } from "./site.ts";

export interface Writer extends AsyncDisposable {
  post(room: RoomId, text: string): Promise<void>;
}

export const openWriter = async (site: Site, house: House): Promise<Writer> => {
  const waiting = new Map<number, PromiseWithResolvers<void>>();
  const opened = Promise.withResolvers<void>();
  let count = 0;
  let closed = false;

  // Bun accepts headers here, but the web's type does not have them.
  const headers = { authorization: `Bearer ${house.token}` };
  const socket = new WebSocket(`${house.url.replace("http", "ws")}/ws`, { headers } as never);
  const close = site.own(async () => {
    closed = true;
    socket.close();
  });
  socket.onopen = () => opened.resolve();
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(String(data)) as SocketFrame;
    if (frame.type === "answer") waiting.get(frame.id)?.resolve();
    else if (frame.type === "error") waiting.get(frame.id ?? -1)?.reject(new Error(frame.error.message));
  };
  socket.onclose = ({ code, reason }) => {
    const error = new Error(`A writer's socket was closed: ${code} ${reason}`);
    opened.reject(error);
    if (!closed) for (const { reject } of waiting.values()) reject(error);
  };
  await opened.promise;

  return {
    async post(room, text) {
      count += 1;
      const id = count;
      const acknowledged = Promise.withResolvers<void>();
      waiting.set(id, acknowledged);
      socket.send(JSON.stringify({ op: "post", id, room, message: { text } }));
      await acknowledged.promise;
      waiting.delete(id);
    },
    [Symbol.asyncDispose]: close,
  };
};
