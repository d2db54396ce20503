/** The parts of the vault on this machine. */
import type { World } from "@hearth/protocol";
import type { Redaction } from "../../../policy/secrets/redaction.ts";
import type { SecretParts } from "../../../warden-options.ts";
import { environment } from "../env.ts";
import { createBunAead } from "./aead.ts";
import { createFileKeySource } from "./file.ts";
import { createKeyringKeySource } from "./keyring.ts";
import { createPassphraseKeySource } from "./passphrase.ts";

/**
 * The environment variable with the passphrase. Anyone who can read the daemon's environment can
 * read it. A terminal or a keyring is safer.
 */
const PASSPHRASE_VARIABLE = "HEARTH_PASSPHRASE";
/** The variables with which a keyring finds the user's session, and no others. */
const SESSION_VARIABLES = [
  "PATH",
  "HOME",
  "USER",
  "LANG",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "DISPLAY",
  "WAYLAND_DISPLAY",
];

export const createBunSecretParts = (options: {
  readonly world: Pick<World, "random">;
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly redaction: Redaction;
  readonly askPassphrase?: ((question: string) => Promise<string>) | undefined;
}): SecretParts => {
  const { world, home, redaction, askPassphrase } = options;
  return {
    redaction,
    aead: createBunAead(),
    sources: {
      file: createFileKeySource(home, world),
      passphrase: createPassphraseKeySource(world),
      keyring: createKeyringKeySource({
        world,
        home,
        platform: process.platform,
        environment: Object.fromEntries(SESSION_VARIABLES.map((name) => [name, environment(name)])),
      }),
    },
    passphrase: () => environment(PASSPHRASE_VARIABLE),
    ...(askPassphrase === undefined
      ? {}
      : {
          ask: (attempt) =>
            askPassphrase(attempt === 0 ? "Passphrase of the vault: " : "Wrong passphrase. Passphrase of the vault: "),
        }),
  };
};
