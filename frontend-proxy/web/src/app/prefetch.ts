import { base } from "../lib/base";
import { connection } from "../lib/connection";
import type { Lazy } from "../lib/lazy";
import { placeOf } from "../lib/asset-address";
import { answers } from "../shared/session/answers";

/** How long the pointer or the focus stays on a link before its page is read, in ms: passing over a list reads nothing. */
export const delay = 100;

/** How many pages are read ahead at once. Further links are read when they are followed. */
export const most = 2;

/** Reads pages of assets ahead, by the links that somebody is about to follow. */
export class Prefetcher {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #link: Element | null = null;
  #reading = new Set<string>();

  constructor(private readonly read: (urn: string) => Promise<unknown>) {}

  /** Notes where the pointer or the focus is now: the link there and the asset that it names, if any. */
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

  /** Forgets the link that waits. */
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
    this.read(urn).then(done, done); // what fails is told where the page is shown
  }
}

/** The asset that a link of this window leads to; empty if it leads elsewhere, or to the asset that is shown. */
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
  // Assets of other types are read with all their aspects, which is too much for a guess.
  if (isShaped(typeOf(urn))) {
    await answers.prefetchQuery(assetQuery(urn));
  }
}

/**
 * Reads the pages of assets ahead while the pointer or the focus rests on their links, unless the connection is to be
 * spared. The page is that of assets; isOther tells paths of other pages. It goes on until what it gives is called.
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
