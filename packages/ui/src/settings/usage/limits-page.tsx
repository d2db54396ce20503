/** The usage of models, and for admins the limits of the house: budget, runs, files and retention. */
import { UsageSection } from "./usage-section.tsx";
import { limitGroups } from "../values/groups.ts";
import { SettingGroups } from "../values/setting-groups.tsx";

export const LimitsPage = ({ isAdmin }: { readonly isAdmin: boolean }) => (
  <>
    <UsageSection />
    {isAdmin ? <SettingGroups groups={limitGroups} /> : undefined}
  </>
);
