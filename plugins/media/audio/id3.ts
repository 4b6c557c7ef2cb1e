import { graphemesOf } from '#text/graphemes'
import type { Chapter } from '../transcript/cues.ts'

/** What a player shows of an episode. */
export interface EpisodeTags {
  title: string
  artist: string | null
  album: string
  /** ISO 8601 date, or null. */
  date: string | null
  /** What made the sound, for whoever wants to know whether a person speaks. */
  provenance: string
  cover: { type: 'image/jpeg' | 'image/png'; bytes: Uint8Array } | null
}

const maxTextLength = 500
/**
 * ffmpeg, and players that are made of it, read the size of a frame within a chapter as a plain number, and leave a chapter out whose
 * title takes 128 bytes with the byte before it.
 */
const maxChapterTitleBytes = 126
/** The table of contents counts its entries in one byte. */
const maxChapters = 255

/** An ID3 tag of the version 2.4, with chapters as in its addendum. */
export function id3Tag(tags: EpisodeTags, chapters: readonly Chapter[], durationMs: number): Buffer {
  const listed = chapters.slice(0, maxChapters)
  return tagOf([
    textFrame('TIT2', tags.title),
    tags.artist === null ? empty : textFrame('TPE1', tags.artist),
    textFrame('TALB', tags.album),
    tags.date === null ? empty : textFrame('TDRC', tags.date.slice(0, 10)),
    textFrame('TLEN', String(durationMs)),
    frame('TXXX', Buffer.concat([utf8, text('provenance'), zero, text(tags.provenance)])),
    tags.cover === null ? empty : coverFrame(tags.cover),
    listed.length === 0 ? empty : contentsFrame(listed.length),
    ...listed.map(chapterFrame)
  ])
}

/** Bytes of the header; behind them stand as many as it says. */
export const tagHeaderBytes = 10

/** How many bytes a tag has in all, by its first ten; 0 where there is none. */
export const tagLength = (start: Buffer): number =>
  start.toString('latin1', 0, 4) === 'ID3\x04' ? tagHeaderBytes + readSynchsafe(start, 6) : 0

/** The same tag with another picture, or with none. Takes tags of `id3Tag`, whose frames have no flags. */
export function withCover(tag: Buffer, cover: EpisodeTags['cover']): Buffer {
  const frames = [...framesOf(tag)].filter(({ name }) => name !== 'APIC').map(({ bytes }) => bytes)
  return tagOf([...frames, cover === null ? empty : coverFrame(cover)])
}

function* framesOf(tag: Buffer): Generator<{ name: string; bytes: Buffer }> {
  for (let at = tagHeaderBytes; at + 10 <= tag.length; ) {
    const end = at + 10 + readSynchsafe(tag, at + 4)
    yield { name: tag.toString('latin1', at, at + 4), bytes: tag.subarray(at, end) }
    at = end
  }
}

const readSynchsafe = (bytes: Buffer, at: number): number =>
  bytes.subarray(at, at + 4).reduce((sum, byte) => (sum << 7) | (byte & 0x7f), 0)

function tagOf(frames: readonly Buffer[]): Buffer {
  const body = Buffer.concat(frames)
  return Buffer.concat([Buffer.from('ID3\x04\x00\x00', 'latin1'), synchsafe(body.length), body])
}

const empty = Buffer.alloc(0)
const zero = Buffer.from([0])
const utf8 = Buffer.from([3])
const latin1 = Buffer.from([0])

const text = (value: string): Buffer => Buffer.from(value.slice(0, maxTextLength).toWellFormed().replaceAll('\0', ' '))

/** Seven bits a byte, so that no length looks like the beginning of a frame of sound. */
const synchsafe = (value: number): Buffer => Buffer.from([21, 14, 7, 0].map(bits => (value >>> bits) & 0x7f))

const frame = (name: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(name, 'latin1'), synchsafe(content.length), Buffer.alloc(2), content])

const textFrame = (name: string, value: string): Buffer => frame(name, Buffer.concat([utf8, text(value)]))

/** The type 3 is the front cover. */
const coverFrame = ({ type, bytes }: NonNullable<EpisodeTags['cover']>): Buffer =>
  frame('APIC', Buffer.concat([latin1, Buffer.from(`${type}\0\x03\0`, 'latin1'), bytes]))

const chapterId = (at: number): string => `chapter${at}`

/** Top level, in order. */
const contentsFrame = (count: number): Buffer =>
  frame(
    'CTOC',
    Buffer.concat([
      Buffer.from('contents\0\x03', 'latin1'),
      Buffer.from([count]),
      ...Array.from({ length: count }, (_, at) => Buffer.from(`${chapterId(at)}\0`, 'latin1'))
    ])
  )

function chapterTitle(title: string): string {
  if (Buffer.byteLength(title) <= maxChapterTitleBytes) return title
  let shown = ''
  for (const character of graphemesOf(title.slice(0, maxChapterTitleBytes))) {
    if (Buffer.byteLength(`${shown}${character}…`) > maxChapterTitleBytes) break
    shown += character
  }
  return `${shown}…`
}

function chapterFrame({ title, startMs, endMs }: Chapter, at: number): Buffer {
  const times = Buffer.alloc(16, 0xff)
  times.writeUInt32BE(startMs, 0)
  times.writeUInt32BE(endMs, 4)
  return frame(
    'CHAP',
    Buffer.concat([Buffer.from(`${chapterId(at)}\0`, 'latin1'), times, textFrame('TIT2', chapterTitle(title))])
  )
}
