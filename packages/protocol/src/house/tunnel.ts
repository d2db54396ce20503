/** A tunnel: a program on the house's machine that carries requests from a public address to it. */
import { z } from "zod";
import { ErrorBody } from "../base/error-schema.ts";

export const tunnelKinds = ["cloudflared", "tailscale", "tailscale-funnel", "ngrok", "ssh", "command"] as const;
export const TunnelKind = z.enum(tunnelKinds);
export type TunnelKind = z.infer<typeof TunnelKind>;

/**
 * `off`: none is configured. `starting`: the program runs and has not announced its address.
 * `open`: the house answers at `url`. `waiting`: it failed and starts again at `nextTryAt`.
 */
export const tunnelStates = ["off", "starting", "open", "waiting"] as const;

/** The last check of a request through the public address. */
export const TunnelRoute = z.object({
  /** Whether the request arrived at this house. */
  isReached: z.boolean(),
  /** UTC milliseconds. */
  checkedAt: z.int(),
  /** Why it did not arrive. */
  problem: z.string().optional(),
});
export type TunnelRoute = z.infer<typeof TunnelRoute>;

export const TunnelInfo = z.object({
  state: z.enum(tunnelStates),
  kind: TunnelKind.optional(),
  /** The public address. Present while the tunnel is open. */
  url: z.string().optional(),
  /** Absent until the first check has ended. */
  route: TunnelRoute.optional(),
  /** Why the last program ended. */
  error: ErrorBody.optional(),
  /** UTC milliseconds. */
  nextTryAt: z.int().optional(),
});
export type TunnelInfo = z.infer<typeof TunnelInfo>;

/**
 * A tunnel that a request may configure. The kind `command` is left out, because it runs any
 * program.
 */
export const SetTunnel = z.strictObject({
  kind: TunnelKind.exclude(["command"]),
  /** The SSH server, as USER@HOST. */
  to: z.string().max(320).optional(),
  /** The port that the SSH server opens. */
  remotePort: z.int().min(1).max(65_535).optional(),
  /** The public address, if the program does not choose it. */
  url: z.string().max(2000).optional(),
  /** Whether a proxy behind the SSH server reports the client in `X-Forwarded-For`. */
  forwarded: z.boolean().optional(),
});
export type SetTunnel = z.infer<typeof SetTunnel>;
