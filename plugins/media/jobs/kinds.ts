import type { FieldErrors } from '#core'

/** What can be asked for, in the order it is named. */
export const knownKinds = ['podcast', 'video', 'video_short', 'image'] as const
export type MediaKind = (typeof knownKinds)[number]

/** What this release makes. */
export const madeKinds: readonly MediaKind[] = ['podcast', 'image']

export const isMediaKind = (name: string): name is MediaKind => knownKinds.some(kind => kind === name)
export const isMade = (kind: MediaKind): boolean => madeKinds.includes(kind)

/** Each once, in their order, so that the same wish is the same job. */
export const kindsInOrder = (kinds: readonly string[]): MediaKind[] => knownKinds.filter(kind => kinds.includes(kind))

/** What is wrong with kinds that somebody asks for. */
export function kindFaults(kinds: readonly string[] | undefined): FieldErrors {
  const unknown = (kinds ?? []).filter(kind => !isMediaKind(kind))
  if (unknown.length > 0) return { media: `has ${quoted(unknown)}: give some of ${madeKinds.join(', ')}` }
  const notMade = (kinds ?? []).filter(kind => isMediaKind(kind) && !isMade(kind))
  return notMade.length === 0
    ? {}
    : { media: `has ${quoted(notMade)}: this release makes ${madeKinds.join(', ')} only` }
}

const quoted = (names: readonly string[]): string => names.map(name => JSON.stringify(name)).join(', ')
