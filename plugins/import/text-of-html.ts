import { decodeHtmlEntities } from '#text/html-entities'

/** Titles, names and descriptions may have HTML: what a reader sees of it. */
export const textOfHtml = (html: string): string => decodeHtmlEntities(html.replace(/<\/?[a-z][^<>]*>/gi, '')).trim()
