/** Describes egress grants and grants of secrets. */
import { type AgentRecord, type EgressGrant, MODEL_HOST, PUBLIC_WEB, type SecretGrant } from "@hearth/protocol";
import { formatNumber } from "../../language/locale.ts";
import { toVisible } from "../../text/visible.tsx";
import * as texts from "./text.ts";

/** Returns the host with its port and path: "api.example.org:8443/v1". */
export const describeHost = ({ host, port, path = "" }: EgressGrant): string =>
  host === PUBLIC_WEB ? texts.publicWeb : `${host}${port === undefined ? "" : `:${port}`}${path}`;

/** Describes which requests the grant allows. */
export const describeLimits = ({ host, methods, maxBytes }: EgressGrant): string => {
  if (host === MODEL_HOST) return texts.modelOfAgent;
  if (host === PUBLIC_WEB) return texts.publicWebLimits;
  const limit = maxBytes === undefined ? [] : [texts.maxBytes(formatNumber(maxBytes))];
  return [methods?.join(", ") ?? texts.anyMethod, ...limit].join(" · ");
};

export const describeSecretGrant = (grant: SecretGrant, agents: readonly AgentRecord[]): string =>
  texts.grantDescription(holderOf(grant, agents), describeHost(grant), describeUse(grant.as));

const holderOf = ({ agent }: SecretGrant, agents: readonly AgentRecord[]): string => {
  if (agent === "providers") return texts.providers;
  return toVisible(agents.find(({ id }) => id === agent)?.content.name ?? texts.aFormerAgent);
};

/** Describes how a secret is sent. `use` is `bearer`, `basic:USER` or `header:NAME`. */
const describeUse = (use: string): string => {
  const name = toVisible(use.slice(use.indexOf(":") + 1));
  if (use.startsWith("basic:")) return texts.asPasswordOf(name);
  return use.startsWith("header:") ? texts.asHeader(name) : texts.asBearer;
};
