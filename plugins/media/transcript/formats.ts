import type { Chapter, Cue } from './cues.ts'

/** WebVTT, as the element `track` and podcast players read it. */
export const webVtt = (cues: readonly Cue[]): string =>
  ['WEBVTT', ...cues.map(cue => `${timesOf(cue, '.')}\n${escaped(cue.text)}`)].join('\n\n').concat('\n')

/** SubRip. */
export const subRip = (cues: readonly Cue[]): string =>
  cues.map((cue, at) => `${at + 1}\n${timesOf(cue, ',')}\n${cue.text.replaceAll('-->', '→')}\n`).join('\n')

/** The transcript as JSON, in the form of the Podcasting 2.0 namespace. */
export const transcriptJson = (cues: readonly Cue[]): string =>
  JSON.stringify({
    version: '1.0.0',
    segments: cues.map(({ text, startMs, endMs }) => ({ startTime: startMs / 1000, endTime: endMs / 1000, body: text }))
  })

/** Chapters as `application/json+chapters`, in the form of the Podcasting 2.0 namespace. */
export const chaptersJson = (title: string, chapters: readonly Chapter[]): string =>
  JSON.stringify({
    version: '1.2.0',
    title,
    chapters: chapters.map(chapter => ({
      startTime: chapter.startMs / 1000,
      endTime: chapter.endMs / 1000,
      title: chapter.title
    }))
  })

const timesOf = ({ startMs, endMs }: Cue, mark: string): string => `${clock(startMs, mark)} --> ${clock(endMs, mark)}`

/** Hours may have more digits than two. */
function clock(ms: number, mark: string): string {
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map(value =>
    String(Math.floor(value)).padStart(2, '0')
  )
  return `${hours}:${minutes}:${seconds}${mark}${String(ms % 1000).padStart(3, '0')}`
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => text.replace(/[&<>]/g, sign => entities[sign] ?? sign)
