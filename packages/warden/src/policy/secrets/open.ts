/** Creates the secrets of a home: its vault, and the sources of the config's references. */
import type { ReferenceSources } from "../../kernel/index.ts";
import type { HouseId } from "@hearth/protocol";
import type { Aead } from "./aead.ts";
import type { Redaction } from "./redaction.ts";
import { toDestination } from "./secret-rules.ts";
import type { Vault } from "./vault.ts";
import type { KeySources } from "./key-source.ts";

/** The parts of the vault that the machine provides. */
export interface SecretParts {
  readonly aead: Aead;
  readonly sources: KeySources;
  readonly passphrase: () => string | undefined;
  readonly ask?: (attempt: number) => Promise<string | undefined>;
  readonly redaction: Redaction;
}

export interface SecretsOptions {
  readonly vault: Vault;
  /** The first house. References of the config name its secrets. */
  readonly house: HouseId;
  readonly redaction: Redaction;
  readonly environment: (name: string) => string | undefined;
  readonly readFile: (path: string) => Promise<string | undefined>;
}

export interface Secrets {
  readonly vault: Vault;
  readonly redaction: Redaction;
  readonly references: ReferenceSources;
}

/** Creates the secrets of a house over the vault of its home. */
export const createSecrets = ({ vault, house, redaction, environment, readFile }: SecretsOptions): Secrets => ({
  vault,
  redaction,
  references: {
    environment,
    readFile,
    secret: (name, provider) =>
      provider === undefined ? vault.read(house, name) : vault.readFor(house, name, toDestination(provider)),
  },
});
