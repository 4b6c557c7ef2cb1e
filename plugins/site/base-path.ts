/** The path that a site lies under behind a proxy; empty for none. */
export const basePathOf = (base: string): string => new URL(base).pathname.replace(/\/$/, '')
