/** Metadata is read with every item of a list. */
const maxMetadataBytes = 16_384

/** Why metadata is too large to be stored; undefined when it is not. */
export function metadataFault(metadata: unknown): string | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(metadata ?? {}))
  return bytes > maxMetadataBytes ? `has ${bytes} bytes as JSON; at most ${maxMetadataBytes} are stored` : undefined
}
