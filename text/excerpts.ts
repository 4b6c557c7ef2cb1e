const directions = /[\u202a-\u202e\u2066-\u2069]/g

/** Without the marks that turn the direction of what follows: an excerpt of a text may lack the one that ends it. */
export function stripDirectionMarks(text: string): string {
  return text.replace(directions, '')
}

/** A text in one line: every run of white space is one blank, none at the ends. */
export const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

/** The first `length` UTF-16 units, without the half of a character that the cut may leave. */
export const cutText = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, '')

/** The same with `…` at the end of a text that is cut, within the `length`. */
export const truncateText = (text: string, length: number): string =>
  text.length <= length ? text : `${cutText(text, length - 1)}…`

/**
 * The beginning of a foreign server's answer as text, at most `maxBytes` of it; the rest is not read. Empty when it broke
 * off. For the log, and for commands on the operator's machine: a client of the API must not read another host's answers.
 */
export async function readResponseStart(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of response.body ?? []) {
      parts.push(part)
      bytes += part.byteLength
      if (bytes >= maxBytes) break
    }
  } catch {
    return ''
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString('utf8')
}
