/** SQL for a time as the index stores it: whole seconds since 2000, rounded up. */
export const indexSeconds = (time: string): string => `ceil(extract(epoch from ${time}) - 946684800)::int`
