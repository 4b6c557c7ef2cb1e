// Runs in a process of its own: see child-process/long-call.ts.
import { readFileSync } from 'node:fs'
import type { CoverDesign } from '../drawing/cover-design.ts'
import { drawCover } from '../drawing/draw-cover.ts'
import { captionCards, chapterCards, type HeardSentence, type Moment } from './film-slides.ts'
import type { FrameSize } from './still.ts'
import { wholePicture } from './whole-picture.ts'
import { type Slide, writeVideo } from './write-video.ts'

/** The files of the episode that a film is made of, and where it is written. All are paths. */
export interface FilmFiles {
  audio: string
  /** JSON as it is served. */
  transcript: string
  /** Likewise. */
  chapters: string
  target: string
}

export interface FilmInput {
  kind: 'video' | 'video_short'
  files: FilmFiles
  /** How cards are drawn; its title is that of the post. */
  design: CoverDesign
  /** The post's picture, as a JPEG; null for none, or where it is not shown. */
  picture: Uint8Array | null
}

export interface MadeFilm {
  durationMs: number
}

const sizes: Readonly<Record<FilmInput['kind'], FrameSize>> = {
  video: { width: 1280, height: 720 },
  video_short: { width: 1080, height: 1920 }
}

/** Makes the film of an episode. Called with the share that is done, 0–1. */
export async function renderFilm(input: FilmInput, onProgress: (share: number) => void = () => {}): Promise<MadeFilm> {
  const { files, kind, design } = input
  const { audio, target } = files
  const { slides, maxSeconds } = kind === 'video' ? ofChapters(input) : ofCaptions(input)
  const film = { audio, slides, size: sizes[kind], title: design.title, target, maxSeconds }
  const seconds = await writeVideo(film, onProgress)
  return { durationMs: Math.round(seconds * 1000) }
}

interface Plan {
  slides: readonly Slide[]
  maxSeconds: number
}

/** The cover, and from its first words on a card for each chapter. */
function ofChapters({ files, design, picture }: FilmInput): Plan {
  const { chapters } = readJson<{ chapters: { title: string; startTime: number }[] }>(files.chapters)
  const cards = chapterCards(chapters.map(({ title, startTime }) => ({ text: title, fromSeconds: startTime })))
  const cover = { ...design, format: 'film' as const }
  const draw = () => (picture === null ? drawn(cover) : wholePicture(picture, sizes.video))
  const slides = cards.map(card => slideOf({ ...cover, label: design.title }, card))
  return { slides: [{ draw, fromSeconds: 0 }, ...slides], maxSeconds: Number.POSITIVE_INFINITY }
}

/** The first sentences, each from its first word on. */
function ofCaptions({ files, design }: FilmInput): Plan {
  const { segments } = readJson<{ segments: { body: string; startTime: number; endTime: number }[] }>(files.transcript)
  const sentences: HeardSentence[] = segments.map(({ body, startTime, endTime }) => ({
    text: body,
    fromSeconds: startTime,
    toSeconds: endTime
  }))
  const { cards, seconds } = captionCards(sentences)
  return { slides: cards.map(card => slideOf({ ...design, format: 'short' }, card)), maxSeconds: seconds }
}

const slideOf = (design: CoverDesign, { text, fromSeconds }: Moment): Slide => ({
  fromSeconds,
  draw: () => drawn({ ...design, title: text })
})

const drawn = async (design: CoverDesign): Promise<Uint8Array> => (await drawCover(design)).bytes

/** Our own file: its form is that of transcript/formats.ts. */
const readJson = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'))
