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
