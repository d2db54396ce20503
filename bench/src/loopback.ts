/** `fetch` for loopback addresses, without the proxy of HTTP_PROXY. */
import type { Fetch } from "@hearth/protocol";

export const loopback: Fetch = (input, init) => fetch(input, { ...init, proxy: false });
