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

/** All of a foreign server's answer; null when it has more than `maxBytes`: the rest is not read. @throws when it breaks off */
export async function readResponseBody(response: Response, maxBytes: number): Promise<Buffer | null> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts)
}
