/** `fetch` for addresses of this machine: what HTTP_PROXY says is not about them. */
import type { Fetch } from "@hearth/protocol";

export const loopback: Fetch = (input, init) => fetch(input, { ...init, proxy: false });
