/** German texts of this folder. */

export const passkeyProblems = {
  "ip-address":
    "Passkeys funktionieren nicht unter einer IP-Adresse. Öffne Hearth unter seiner öffentlichen Adresse oder auf dem Server unter localhost.",
  insecure: "Passkeys brauchen eine https-Adresse oder localhost auf dem Server.",
  unsupported: "Dieser Browser unterstützt keine Passkeys.",
} as const;
