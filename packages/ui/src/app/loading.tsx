/** Nothing is here yet. What comes at once needs no word. */
import { Spinner } from "../design/spinner.tsx";
import { useLasting } from "../house/lasting.ts";
import { MessagePage } from "./message-page.tsx";

const QUICK_MS = 300;

export const Loading = () => (
  <MessagePage>{useLasting(true, QUICK_MS) ? <Spinner label="Loading" /> : undefined}</MessagePage>
);
