/** Explains that a link works only on the machine of the house, and leads to the setting of a public address. */
import { Link } from "wouter";
import { mayAdministerHome } from "../../house/may.ts";
import { useHouse } from "../../house/ui.tsx";
import { paths, REMOTE_ACCESS } from "../place.ts";
import * as texts from "./text.ts";

export const LocalAddressHint = () => {
  const { me } = useHouse();
  return (
    <>
      <p>{texts.onlyThisMachine}</p>
      {mayAdministerHome(me) ? (
        <p>
          {texts.needsPublicAddress} <Link href={`${paths.system}#${REMOTE_ACCESS}`}>{texts.setUpRemoteAccess}</Link>
        </p>
      ) : (
        <p>{texts.askForPublicAddress}</p>
      )}
    </>
  );
};
