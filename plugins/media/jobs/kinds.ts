import type { FieldErrors } from '#core'
import { mediaKinds } from '#plugins/posts'

/** What can be asked for, in the order it is made and named. */
export const knownKinds = [...mediaKinds, 'image'] as const
export type MediaKind = (typeof knownKinds)[number]

const isMediaKind = (name: string): name is MediaKind => knownKinds.some(kind => kind === name)

/** Each once, in their order, so that the same request is the same job. A film needs the audio: whoever asks for one gets both. */
export function kindsInOrder(kinds: readonly string[]): MediaKind[] {
  const hasFilm = kinds.includes('video') || kinds.includes('video_short')
  return knownKinds.filter(kind => kinds.includes(kind) || (hasFilm && kind === 'podcast'))
}

/** What a post with files of these kinds offers. */
export const offeredKinds = (files: readonly { kind: string }[]): MediaKind[] =>
  knownKinds.filter(kind => files.some(file => file.kind === kind))

/** What is wrong with kinds that somebody asks for. */
export function kindFaults(kinds: readonly string[] | undefined): FieldErrors {
  const unknown = (kinds ?? []).filter(kind => !isMediaKind(kind)).map(kind => JSON.stringify(kind))
  return unknown.length === 0 ? {} : { media: `has ${unknown.join(', ')}: give some of ${knownKinds.join(', ')}` }
}
