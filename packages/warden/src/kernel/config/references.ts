/** Lists the references to keys in a config. */
import type { SecretReference } from "./reference.ts";
import type { Config } from "./schema.ts";

export interface UsedReference {
  /** The table that contains the reference, such as `providers.den`. */
  readonly table: string;
  readonly reference: SecretReference;
}

export const referencesIn = ({
  providers,
  channels,
  search,
  memory,
  login,
  observers,
  voice,
  pictures,
}: Config): readonly UsedReference[] =>
  [
    ...[...providers].map(([name, { apiKey }]) => ({ table: `providers.${name}`, reference: apiKey })),
    ...[...channels].flatMap(([name, { token, webhookSecret }]) =>
      [token, webhookSecret].map((reference) => ({ table: `channels.${name}`, reference })),
    ),
    { table: "search", reference: search?.apiKey },
    { table: "memory", reference: memory.apiKey },
    { table: "voice.transcribe", reference: voice?.transcribe?.apiKey },
    { table: "voice.speak", reference: voice?.speak?.apiKey },
    { table: "pictures", reference: pictures?.apiKey },
    ...[...login.oidc].map(([name, { clientSecret }]) => ({ table: `login.oidc.${name}`, reference: clientSecret })),
    ...Object.values(observers.otlp.headers).map((reference) => ({ table: "observers", reference })),
  ].flatMap(({ table, reference }) => (reference === undefined ? [] : [{ table, reference }]));
