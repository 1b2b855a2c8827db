/** Reports whether the page may link to an address. Other addresses are shown as text. */
export const isAddress = (url: string) => /^(https?:\/\/|mailto:)/iu.test(url);
