/** User-facing texts of this folder, in the order of its files. */

// remote-section.tsx
export const remoteAccess = "Remote access";
export const remoteIntroduction =
  "A tunnel opens this house to your phone and to other people when the house has no public address. Every person needs a password first.";
export const isOff = "Only this machine and its own address reach the house. No tunnel is open.";
export const isStarting = (program: string): string => `${program} is starting…`;
export const isWaiting = (time: string): string => `The tunnel is closed. The next try is at ${time}.`;
export const isOpen = (program: string): string => `Open through ${program}`;
export const program = "Tunnel";
export const openTunnel = "Open tunnel";
export const closeTunnel = "Close tunnel";
export const closeTitle = "Close the tunnel?";
export const closeEffect = "Devices that use its address lose the house at once, also this one if it does.";
export const tunnelClosed = "The tunnel is closed.";
export const cloudflared = "Cloudflare (a new address at each start, no account)";
export const tailscale = "Tailscale (your own devices)";
export const funnel = "Tailscale Funnel (everyone)";
export const ngrok = "ngrok";
