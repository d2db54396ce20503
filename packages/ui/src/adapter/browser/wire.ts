/** The browser's WebSocket for the client: it never throws, and reports its end exactly once. */
import type { SocketEvents, SocketWire } from "@hearth/client";

/** Abnormal closure, RFC 6455. */
const ABNORMAL_CLOSURE = 1006;

export const connectWire =
  (url: string, open: (url: string) => WebSocket = (address) => new WebSocket(address)) =>
  (events: SocketEvents): SocketWire => {
    let socket: WebSocket;
    try {
      socket = open(url);
    } catch (error) {
      // The page's policy blocks the address, so the socket will report no event.
      queueMicrotask(() => events.closed(ABNORMAL_CLOSURE, String(error)));
      return { send: () => {}, close: () => {} };
    }
    socket.addEventListener("open", () => events.open());
    socket.addEventListener("message", ({ data }) => events.message(String(data)));
    socket.addEventListener("close", ({ code, reason }) => events.closed(code, reason), { once: true });
    return {
      send(text) {
        // A closing socket accepts no messages. Its end is the next event.
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close: () => socket.close(),
    };
  };
