import type { Utterance } from '../narration/utterances.ts'

/** How many samples an utterance has, and the silence after it. */
export interface SpokenLength {
  samples: number
  pause: number
}

/** A text with the time it is heard at, in milliseconds from the beginning. */
export interface Cue {
  text: string
  section: number | null
  startMs: number
  endMs: number
}

/** The cues of an episode: times are sums of sample counts, so they are exact whatever the engine. */
export function cuesOf(
  utterances: readonly Pick<Utterance, 'text' | 'section'>[],
  lengths: readonly SpokenLength[],
  sampleRate: number
): Cue[] {
  const msOf = (samples: number) => Math.round((samples * 1000) / sampleRate)
  let at = 0
  return utterances.flatMap(({ text, section }, index) => {
    const { samples, pause } = lengths[index] ?? { samples: 0, pause: 0 }
    const cue = { text, section, startMs: msOf(at), endMs: msOf(at + samples) }
    at += samples + pause
    // An engine may have no sound for a text of signs only; players refuse a cue without a length.
    return cue.endMs > cue.startMs ? [cue] : []
  })
}

/** A second-level heading with the time of its first words. */
export interface Chapter {
  title: string
  startMs: number
  endMs: number
}

/** One for each section that is heard; `durationMs` ends the last. */
export function chaptersOf(sections: readonly string[], cues: readonly Cue[], durationMs: number): Chapter[] {
  const starts = sections.flatMap((title, section) => {
    const first = cues.find(cue => cue.section === section)
    return first === undefined ? [] : [{ title, startMs: first.startMs }]
  })
  return starts.map((chapter, at) => ({ ...chapter, endMs: starts[at + 1]?.startMs ?? durationMs }))
}
