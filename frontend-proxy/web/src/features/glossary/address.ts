/** An address that a page may lead to; others are shown as text. */
export const isAddress = (url: string) => /^(https?:\/\/|mailto:)/iu.test(url);
