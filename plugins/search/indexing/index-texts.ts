import type { TextLanguage } from '#text'
import type { PostingRows } from '../inverted-index/posting-rows.ts'
import type { WordOfTerm } from '../inverted-index/segment-builder.ts'
import type { AnalyzedPost, PostText } from '../inverted-index/text-fields.ts'
import { codeOf } from '../languages.ts'
import type { SegmentText } from '../repository/segments.ts'
import type { Vocabulary } from '../vocabulary/vocabulary.ts'
import { buildSegment } from './build.ts'
import type { IndexProcess } from './index-process.ts'
import { type BuiltTexts, type SegmentWriting, writeSegment } from './write-segment.ts'

/** The next texts, after the post with a number; none after the last. */
type TextSource = (after: number) => Promise<PostText[]>

interface TextIndexing extends SegmentWriting {
  process: () => Pick<IndexProcess, 'add' | 'takeSegment' | 'nextRows'>
  languageOf: (post: PostText) => TextLanguage
  vocabulary: Pick<Vocabulary, 'addWords'>
  /** Called when searches read a new segment, beside the analysis of the next one. */
  afterSegment(): Promise<void>
}

/** How many texts were read, and how many of them are found in a segment from now on: others were changed, or locked, meanwhile. */
interface IndexedTexts {
  read: number
  indexed: number
}

/** Below the number of any post. */
const noPost = -1

/** Fewer characters are analyzed at once, without a process: some 5 ms. */
const maxAtOnce = 50_000

/** Indexes all texts of a source. The next ones are read and analyzed while the last segment is written. */
export async function indexTexts(source: TextSource, deps: TextIndexing): Promise<IndexedTexts> {
  const total = { read: 0, indexed: 0 }
  const analysis = createAnalysis(deps)
  let writing = Promise.resolve()
  const write = async (segment: BuiltTexts) => {
    total.indexed += await writeSegment(segment, deps)
    await deps.afterSegment()
  }
  try {
    for (let texts = await source(noPost); texts.length > 0; ) {
      deps.signal.throwIfAborted()
      total.read += texts.length
      const following = source(texts.at(-1)?.post_no ?? noPost)
      const [isFull] = await Promise.all([analysis.add(texts), following])
      texts = await following
      if (!isFull && texts.length > 0) continue
      // One at a time: the rows of two would be in memory.
      await writing
      writing = write(await analysis.take())
      writing.catch(() => {})
    }
    await writing
  } finally {
    await writing.catch(() => {})
  }
  return total
}

/** Analyzes texts for one segment after the other. */
function createAnalysis({ process, languageOf, vocabulary }: TextIndexing) {
  let texts: SegmentText[] = []
  let words: WordOfTerm[] = []
  let few: readonly AnalyzedPost[] = []
  const addTexts = (posts: readonly AnalyzedPost[], lengthCodes: readonly number[]) => {
    for (const [at, { post_no, text_version, analyzed_as }] of posts.entries())
      texts.push({ post_no, text_version, length_code: lengthCodes[at] ?? 0, language_code: codeOf(analyzed_as) })
  }
  const addInProcess = async (posts: readonly AnalyzedPost[]) => {
    // The words of the texts before are stored meanwhile.
    const [added] = await Promise.all([process().add(posts), vocabulary.addWords(words)])
    words = added.words
    addTexts(posts, added.lengthCodes)
    return added.isFull
  }
  const takeFew = () => {
    const { rows, lengthCodes, words: found } = buildSegment(few)
    words = [...words, ...found]
    addTexts(few, lengthCodes)
    few = []
    return rows
  }
  const takeBuilt = async () => {
    const built = process()
    await built.takeSegment()
    return built.nextRows
  }
  return {
    /** @returns whether the segment should have no more */
    async add(added: readonly PostText[]): Promise<boolean> {
      const posts = added.map(text => ({ ...text, analyzed_as: languageOf(text) }))
      if (texts.length === 0 && few.length === 0 && charactersOf(posts) <= maxAtOnce) {
        few = posts
        return false
      }
      if (few.length > 0) await addInProcess(few)
      few = []
      return addInProcess(posts)
    },
    async take() {
      const taken = { texts, nextRows: few.length > 0 ? nextOf(takeFew()) : await takeBuilt() }
      texts = []
      // Before anybody reads the segment: each of its terms stands for itself at least.
      await vocabulary.addWords(words)
      words = []
      return taken
    }
  }
}

const nextOf = (rows: PostingRows[]) => async () => rows.shift()

const charactersOf = (posts: readonly AnalyzedPost[]) => posts.reduce((sum, { body }) => sum + body.length, 0)
