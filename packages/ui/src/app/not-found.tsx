/** The page of an unknown path. */
import { HOME } from "../house/paths.ts";
import { Link } from "wouter";
import { useTitle } from "../house/title.ts";
import { MessagePage } from "./message-page.tsx";
import * as texts from "./text.ts";

export const NotFound = () => {
  useTitle(texts.notFound);
  return (
    <MessagePage title={texts.pageNotFound}>
      <p>{texts.pageNotFoundDetail}</p>
      <p>
        <Link href={HOME}>{texts.goToStartPage}</Link>
      </p>
    </MessagePage>
  );
};
