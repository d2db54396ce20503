/** The browser's WebSocket as the client's socket wants it: it never throws, and says once that it is gone. */
import type { SocketEvents, SocketWire } from "@hearth/client";

/** As when a connection broke without a word; RFC 6455. */
const ABNORMAL = 1006;

export const connectWire =
  (url: string, open: (url: string) => WebSocket = (at) => new WebSocket(at)) =>
  (events: SocketEvents): SocketWire => {
    let socket: WebSocket;
    try {
      socket = open(url);
    } catch (error) {
      // The page's policy forbids it: no event will follow.
      queueMicrotask(() => events.closed(ABNORMAL, String(error)));
      return { send: () => {}, close: () => {} };
    }
    socket.addEventListener("open", () => events.open());
    socket.addEventListener("message", ({ data }) => events.message(String(data)));
    socket.addEventListener("close", ({ code, reason }) => events.closed(code, reason), { once: true });
    return {
      send(text) {
        // On its way out it takes nothing more; whoever sends hears of its end next.
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => socket.close(),
    };
  };
