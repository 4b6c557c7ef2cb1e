// Runs in a process of its own: see child-process/long-call.ts.
import { readFileSync } from 'node:fs'
import type { CoverOrder } from '../drawing/cover-order.ts'
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

export interface FilmOrder {
  kind: 'video' | 'video_short'
  files: FilmFiles
  /** How cards look; its title is that of the post. */
  look: CoverOrder
  /** The post's picture, as a JPEG; null for none, or where it is not shown. */
  picture: Uint8Array | null
}

export interface MadeFilm {
  durationMs: number
}

const sizes: Readonly<Record<FilmOrder['kind'], FrameSize>> = {
  video: { width: 1280, height: 720 },
  video_short: { width: 1080, height: 1920 }
}

/** Makes the film of an episode. Called with the share that is done, 0–1. */
export async function renderFilm(order: FilmOrder, onProgress: (share: number) => void = () => {}): Promise<MadeFilm> {
  const { files, kind, look } = order
  const { audio, target } = files
  const { slides, maxSeconds } = kind === 'video' ? ofChapters(order) : ofCaptions(order)
  const film = { audio, slides, size: sizes[kind], title: look.title, target, maxSeconds }
  const seconds = await writeVideo(film, onProgress)
  return { durationMs: Math.round(seconds * 1000) }
}

interface Plan {
  slides: readonly Slide[]
  maxSeconds: number
}

/** The cover, and from its first words on a card for each chapter. */
function ofChapters({ files, look, picture }: FilmOrder): Plan {
  const { chapters } = readJson<{ chapters: { title: string; startTime: number }[] }>(files.chapters)
  const cards = chapterCards(chapters.map(({ title, startTime }) => ({ text: title, fromSeconds: startTime })))
  const cover = { ...look, format: 'film' as const }
  const draw = () => (picture === null ? drawn(cover) : wholePicture(picture, sizes.video))
  const slides = cards.map(card => slideOf({ ...cover, label: look.title }, card))
  return { slides: [{ draw, fromSeconds: 0 }, ...slides], maxSeconds: Number.POSITIVE_INFINITY }
}

/** The first sentences, each from its first word on. */
function ofCaptions({ files, look }: FilmOrder): Plan {
  const { segments } = readJson<{ segments: { body: string; startTime: number; endTime: number }[] }>(files.transcript)
  const sentences: HeardSentence[] = segments.map(({ body, startTime, endTime }) => ({
    text: body,
    fromSeconds: startTime,
    toSeconds: endTime
  }))
  const { cards, seconds } = captionCards(sentences)
  return { slides: cards.map(card => slideOf({ ...look, format: 'short' }, card)), maxSeconds: seconds }
}

const slideOf = (look: CoverOrder, { text, fromSeconds }: Moment): Slide => ({
  fromSeconds,
  draw: () => drawn({ ...look, title: text })
})

const drawn = async (order: CoverOrder): Promise<Uint8Array> => (await drawCover(order)).bytes

/** Our own file: its form is that of transcript/formats.ts. */
const readJson = <Content>(file: string): Content => JSON.parse(readFileSync(file, 'utf8'))
