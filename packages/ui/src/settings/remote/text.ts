/** User-facing texts of this folder, in the order of its files. */

// remote-section.tsx
export const remoteAccess = "Remote access";
export const remoteIntroduction =
  "A tunnel makes this house reachable from your phone and for other people when it has no public address. Every person needs a password, a passkey or a linked account first.";
export const tunnelOff = "No tunnel is open. The house is reachable only at its own addresses.";
export const tunnelStarting = (program: string): string => `${program} is starting…`;
export const tunnelWaiting = (time: string): string => `The tunnel is closed. The next attempt is at ${time}.`;
export const tunnelOpen = (program: string): string => `Open through ${program}`;
export const routeWorks = (time: string): string => `The address reaches this house. Checked at ${time}.`;
export const routeFails = "The address does not reach this house.";
export const routeAdvice =
  "Open it on another device. If the address worked before, the house starts the tunnel again after three failed checks.";
export const program = "Tunnel";
export const openTunnel = "Open tunnel";
export const closeTunnel = "Close tunnel";
export const closeTitle = "Close the tunnel?";
export const closeEffect =
  "Devices that use the address of the tunnel lose the connection immediately, including this device if it uses it.";
export const tunnelClosed = "The tunnel is closed.";
export const cloudflared = "Cloudflare (a new address at each start, no account)";
export const tailscale = "Tailscale (your own devices)";
export const funnel = "Tailscale Funnel (everyone)";
export const ngrok = "ngrok";
