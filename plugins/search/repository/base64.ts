/** A column of bytes as text: a third shorter than the hexadecimal digits that pg asks for, and read in half of the time. */
export const toBase64 = (column: string): string => `encode(${column}, 'base64')`

export const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')
