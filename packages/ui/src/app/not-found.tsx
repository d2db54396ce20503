/** A way home from where nothing is. */
import { Link } from "wouter";
import { useTitle } from "../house/title.ts";
import { MessagePage } from "./message-page.tsx";
import { HOME } from "./places.ts";

export const NotFound = () => {
  useTitle("Not found");
  return (
    <MessagePage title="Nothing is here">
      <p>The room or page was renamed or removed, or the address has a slip in it.</p>
      <p>
        <Link href={HOME}>Go home</Link>
      </p>
    </MessagePage>
  );
};
