/** The page of an unknown path. */
import { Link } from "wouter";
import { useTitle } from "../house/title.ts";
import { MessagePage } from "./message-page.tsx";
import { HOME } from "./places.ts";

export const NotFound = () => {
  useTitle("Not found");
  return (
    <MessagePage title="Page not found">
      <p>The room or page was renamed or removed. Otherwise check the address.</p>
      <p>
        <Link href={HOME}>Go to start page</Link>
      </p>
    </MessagePage>
  );
};
