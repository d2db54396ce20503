/** A loading state, shown only after a delay. */
import { Spinner } from "../design/spinner.tsx";
import { useHasLasted } from "../house/lasting.ts";
import { MessagePage } from "./message-page.tsx";
import * as texts from "./text.ts";

const QUICK_MS = 300;

export const Loading = () => (
  <MessagePage>{useHasLasted(true, QUICK_MS) ? <Spinner label={texts.loading} /> : undefined}</MessagePage>
);
