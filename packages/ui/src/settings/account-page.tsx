/** How one gets in: the password, where one is logged in, and one's own keys. */
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
