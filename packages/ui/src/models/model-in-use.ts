/** Finds the model of a provider that agents of the house already use. */
import type { AgentRecord } from "@hearth/protocol";

/** Returns a model of this provider that an agent uses, without the name of the provider. */
export const findModelInUse = (agents: Iterable<AgentRecord>, provider: string): string | undefined =>
  [...agents]
    .find(({ content }) => content.model?.startsWith(`${provider}/`))
    ?.content.model?.slice(provider.length + 1);
