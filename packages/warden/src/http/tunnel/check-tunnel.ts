/** The check of `hearth doctor` for the tunnel. */
import type { Check, TunnelInfo, World } from "@hearth/protocol";

/** Maximum duration of a request through the tunnel and back. */
const CHECK_TIMEOUT_MS = 10_000;

/**
 * Checks whether a request from outside arrives: requests the house's health at the public address.
 */
export const checkTunnel = async (
  { fetch, clock }: Pick<World, "fetch" | "clock">,
  { state, kind, url, error }: TunnelInfo,
): Promise<readonly Check[]> => {
  const name = "tunnel";
  if (state === "off") return [];
  if (url === undefined)
    return [
      {
        name,
        ok: false,
        detail: error === undefined ? `${kind} has not announced its address yet` : error.message,
        fix: error?.hint ?? "Wait a moment, then look again: hearth tunnel show",
      },
    ];
  const late = new AbortController();
  const deadline = clock.sleep(CHECK_TIMEOUT_MS, late.signal).then(() => late.abort());
  try {
    const { status } = await fetch(`${url}/healthz`, { signal: late.signal });
    if (status === 200) return [{ name, ok: true, detail: `${kind} carries ${url} to this house` }];
    return [{ name, ok: false, detail: `${url} answers with status ${status}`, fix: WRONG_TARGET }];
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    return [{ name, ok: false, detail: `this machine cannot reach ${url}: ${why}`, fix: WRONG_TARGET }];
  } finally {
    late.abort();
    await deadline;
  }
};
const WRONG_TARGET =
  "Open the address in a browser on another machine. If that fails too, look at the tunnel's program.";
