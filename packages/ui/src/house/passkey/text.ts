/** User-facing texts of this folder, in the order of its files. */

export const passkeyProblems = {
  "ip-address":
    "Passkeys do not work at an IP address. Open Hearth at its public address, or at localhost on the server.",
  insecure: "Passkeys need an https address, or localhost on the server.",
  unsupported: "This browser does not support passkeys.",
} as const;
