import { base } from "../lib/base";
import { connection } from "../lib/connection";
import type { Lazy } from "../lib/lazy";
import { placeOf } from "../lib/asset-address";
import { answers } from "../shared/session/answers";

/**
 * The time that the pointer or the focus has to stay on a link before its page is prefetched, in ms. Moving
 * across a list thus prefetches nothing.
 */
export const delay = 100;

/** The maximum number of concurrent prefetches. Further links are loaded only when they are followed. */
export const most = 2;

/** Prefetches asset pages for links that the user is likely to follow. */
export class Prefetcher {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #link: Element | null = null;
  #reading = new Set<string>();

  constructor(private readonly read: (urn: string) => Promise<unknown>) {}

  /** Records the link under the pointer or the focus, and the URN of its asset, or "" if it has none. */
  at(link: Element | null, urn: string) {
    if (link === this.#link) {
      return;
    }
    this.stop();
    this.#link = link;
    if (urn !== "") {
      this.#timer = setTimeout(() => this.#start(urn), delay);
    }
  }

  /** Cancels the pending prefetch. */
  stop() {
    clearTimeout(this.#timer);
    this.#link = null;
  }

  #start(urn: string) {
    if (this.#reading.has(urn) || this.#reading.size >= most) {
      return;
    }
    this.#reading.add(urn);
    const done = () => this.#reading.delete(urn);
    this.read(urn).then(done, done); // the page itself reports failures
  }
}

/** The URN of the asset page that a link opens in this window; "" for other links and for the current asset. */
export function assetOf(link: HTMLAnchorElement | null): string {
  if (!link || link.origin !== location.origin || link.target === "_blank" || !link.pathname.startsWith(`${base}/`)) {
    return "";
  }
  const urn = placeOf(link.pathname.slice(base.length))?.urn ?? "";
  return urn === placeOf(location.pathname.slice(base.length))?.urn ? "" : urn;
}

const savesData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

async function readAsset(urn: string) {
  const [{ assetQuery }, { isShaped }, { typeOf }] = await Promise.all([import("../shared/asset/read"), import("../shared/asset/query"), import("../lib/asset")]);
  // Assets of other types are read with all their aspects, which is too expensive for a prefetch.
  if (isShaped(typeOf(urn))) {
    await answers.prefetchQuery(assetQuery(urn));
  }
}

/**
 * Prefetches asset pages while the pointer or the focus rests on their links. It does not prefetch if the
 * browser saves data or the connection is down. page is the lazy asset page; isOther identifies paths of
 * other pages. The returned function stops prefetching.
 */
export function prefetch(page: Lazy, isOther: (path: string) => boolean): () => void {
  const prefetcher = new Prefetcher((urn) => {
    page.preload();
    return readAsset(urn);
  });
  const note = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    const spared = link === null || savesData() || connection().state !== "up" || isOther(link.pathname.slice(base.length));
    prefetcher.at(link, spared ? "" : assetOf(link));
  };
  document.addEventListener("pointerover", note);
  document.addEventListener("focusin", note);
  return () => {
    document.removeEventListener("pointerover", note);
    document.removeEventListener("focusin", note);
    prefetcher.stop();
  };
}
