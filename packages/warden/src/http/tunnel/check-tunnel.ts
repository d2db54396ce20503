/** The check of `hearth doctor` for the tunnel. */
import type { Check, TunnelInfo } from "@hearth/protocol";

const name = "tunnel";

/** Reports the state of the tunnel. The caller passes the state after a check of the route. */
export const checkTunnel = ({ state, kind, url, route, error }: TunnelInfo): readonly Check[] => {
  if (state === "off") return [];
  if (url === undefined || route === undefined)
    return [
      {
        name,
        ok: false,
        detail: error === undefined ? `${kind} has not announced its address yet` : error.message,
        fix: error?.hint ?? "Wait a moment, then look again: hearth tunnel show",
      },
    ];
  if (route.isReached) return [{ name, ok: true, detail: `${kind} carries ${url} to this house` }];
  return [{ name, ok: false, detail: route.problem ?? "", fix: WRONG_TARGET }];
};

const WRONG_TARGET =
  "Open the address in a browser on another machine. If that fails too, look at the tunnel's program.";
