/** Whether a link target is safe: a web or mail address, or a path of this server. */
export const isSafeLink = (url: string) => /^(https?:\/\/|mailto:)/iu.test(url) || (/^\/(?![/\\])/u.test(url) && !/[\\\t\n\r]/u.test(url));
