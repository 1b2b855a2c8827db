/** Whether an address may be followed: one of the web or of mail, or one of this server. */
export const isSafeLink = (url: string) => /^(https?:\/\/|mailto:)/iu.test(url) || (/^\/(?![/\\])/u.test(url) && !/[\\\t\n\r]/u.test(url));
