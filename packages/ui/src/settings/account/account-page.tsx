/** The account page: password, login sessions and API keys of the current user. */
import type { AgentRecord } from "@hearth/protocol";
import { KeysSection } from "./keys-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

export const AccountPage = ({ me }: { readonly me: AgentRecord }) => (
  <>
    <PasswordSection person={me} isOwn />
    <SessionsSection />
    <KeysSection of={me} />
  </>
);
