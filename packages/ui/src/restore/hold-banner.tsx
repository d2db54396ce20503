/** The banner above every page while the house is on hold after a restore. */
import { useLocation } from "wouter";
import { ResumeBanner } from "../house/resume-banner.tsx";
import { mayAdministerHome } from "../house/may.ts";
import { RESTORE } from "../house/paths.ts";
import { useHouse } from "../house/ui.tsx";
import * as texts from "./text.ts";

export const HoldBanner = () => {
  const { me } = useHouse();
  const [currentPath, navigate] = useLocation();
  if (me?.onHold !== true) return undefined;
  const canReview = mayAdministerHome(me) && currentPath !== RESTORE;
  return (
    <ResumeBanner isWide label={texts.review} resume={canReview ? async () => navigate(RESTORE) : undefined}>
      {texts.houseIsOnHold}
    </ResumeBanner>
  );
};
