/** Operations on the tunnel of the house. */
import { SetTunnel, TunnelInfo } from "../house/tunnel.ts";
import { declareOperations } from "./operation.ts";

export const tunnelOperations = declareOperations("House", {
  get: {
    id: "getTunnel",
    method: "GET",
    path: "/api/tunnel",
    needs: "x on home",
    summary: "Returns whether a tunnel is open, and its address",
    answers: { status: 200, schema: TunnelInfo },
  },
  set: {
    id: "setTunnel",
    method: "PUT",
    path: "/api/tunnel",
    needs: "x on home",
    freshLogin: true,
    summary: "Writes the tunnel to the config file, and opens it",
    description: "The answer comes before the tunnel is open. A tunnel of kind `command` can be set only in the file.",
    body: SetTunnel,
    answers: { status: 200, schema: TunnelInfo },
    errors: ["config.invalid", "home.read-only"],
  },
  remove: {
    id: "removeTunnel",
    method: "DELETE",
    path: "/api/tunnel",
    needs: "x on home",
    summary: "Closes the tunnel, and removes it from the config file",
    answers: { status: 204 },
    errors: ["tunnel.none", "home.read-only"],
  },
});
