/** The account page: how the current user logs in, and their login sessions. */
import type { AgentRecord } from "@hearth/protocol";
import { IdentitiesSection } from "./identities-section.tsx";
import { PasskeysSection } from "./passkeys-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SecondFactorSection } from "./second-factor-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";

export const AccountPage = ({ me }: { readonly me: AgentRecord }) => (
  <>
    <PasswordSection person={me} isOwn />
    <PasskeysSection person={me} isOwn />
    <IdentitiesSection person={me} isOwn />
    <SecondFactorSection person={me} isOwn />
    <SessionsSection />
  </>
);
