/** German texts of this folder. */

// remote-section.tsx
export const remoteAccess = "Fernzugriff";
export const remoteIntroduction =
  "Ein Tunnel macht dieses Haus von deinem Smartphone und für andere Personen erreichbar, wenn es keine öffentliche Adresse hat. Jede Person braucht zuerst ein Passwort, einen Passkey oder ein verknüpftes Konto.";
export const tunnelOff = "Kein Tunnel ist offen. Das Haus ist nur unter seinen eigenen Adressen erreichbar.";
export const tunnelStarting = (program: string): string => `${program} startet …`;
export const tunnelWaiting = (time: string): string =>
  `Der Tunnel ist geschlossen. Der nächste Versuch ist um ${time}.`;
export const tunnelOpen = (program: string): string => `Offen über ${program}`;
export const routeWorks = (time: string): string => `Die Adresse führt zu diesem Haus. Geprüft um ${time}.`;
export const routeFails = "Die Adresse führt nicht zu diesem Haus.";
export const routeAdvice =
  "Öffne sie auf einem anderen Gerät. Wenn die Adresse vorher funktioniert hat, startet das Haus den Tunnel nach drei fehlgeschlagenen Prüfungen neu.";
export const program = "Tunnel";
export const openTunnel = "Tunnel öffnen";
export const closeTunnel = "Tunnel schließen";
export const closeTitle = "Tunnel schließen?";
export const closeEffect =
  "Geräte, die die Adresse des Tunnels verwenden, verlieren sofort die Verbindung, auch dieses Gerät, wenn es sie verwendet.";
export const tunnelClosed = "Der Tunnel ist geschlossen.";
export const cloudflared = "Cloudflare (bei jedem Start eine neue Adresse, kein Konto)";
export const tailscale = "Tailscale (deine eigenen Geräte)";
export const funnel = "Tailscale Funnel (alle)";
export const ngrok = "ngrok";
