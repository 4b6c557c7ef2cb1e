import { textFault as controlFault, InputError, metadataFault } from '#core'
import type { NewTask } from './repository/tasks.ts'

/** What a task may be created with; only the topic is required. */
export type TaskRequest = Partial<Omit<NewTask, 'source'>> & { topic: string }

/** Longest texts, in characters, and the most tags. */
export const longest = { text: 200, label: 60, tags: 20 }

const bounds = {
  category: longest.text,
  primary_keyword: longest.text,
  target_audience: longest.text,
  niche_slug: longest.text,
  style: longest.label,
  tone: longest.label,
  source: longest.label
}

/** A request with its defaults, from wherever it came. @throws InputError naming every faulty field */
export function newTask(request: TaskRequest, source: string, defaultLength: number): NewTask {
  const metadata = metadataFault(request.metadata)
  const faults = { ...requestFaults({ ...request, source }), ...(metadata === undefined ? {} : { metadata }) }
  if (Object.keys(faults).length > 0) throw new InputError(faults)
  return {
    topic: topicOf(request.topic),
    tags: tagsOf(request.tags ?? []),
    source,
    category: request.category ?? null,
    primary_keyword: request.primary_keyword ?? null,
    target_length: request.target_length ?? defaultLength,
    style: request.style ?? 'technical',
    tone: request.tone ?? 'professional',
    target_audience: request.target_audience ?? null,
    niche_slug: request.niche_slug ?? null,
    metadata: request.metadata ?? {}
  }
}

type Faults = Record<string, string>

type Texts = Readonly<Partial<Record<keyof typeof bounds, string | null | undefined>>>

/** What is wrong with the texts of a request, as far as they are given. */
export function requestFaults({
  topic,
  tags = [],
  ...texts
}: Texts & { topic?: string | undefined; tags?: readonly string[] | undefined }): Faults {
  return {
    ...(topic === undefined ? {} : topicFault(topicOf(topic))),
    ...textFaults(texts),
    ...tagFaults(tagsOf(tags))
  }
}

type Flag = 'topic' | 'keyword' | 'tags' | 'category' | 'source' | 'style' | 'tone' | 'audience' | 'niche'

/** The same for a command line, whose flags have shorter names. */
export function flagFaults(flags: Readonly<Partial<Record<Flag, string | undefined>>>): Faults {
  const { keyword, audience, niche, tags, ...others } = flags
  const fields = { primary_keyword: keyword, target_audience: audience, niche_slug: niche }
  const { primary_keyword, target_audience, niche_slug, ...faults } = requestFaults({
    ...others,
    ...fields,
    tags: splitTags(tags)
  })
  const renamed = { keyword: primary_keyword, audience: target_audience, niche: niche_slug }
  const found = Object.entries(renamed).flatMap(([name, fault]) => (fault === undefined ? [] : [[name, fault]]))
  return { ...faults, ...Object.fromEntries(found) }
}

/** Tags as they are typed, separated by commas. */
export const splitTags = (text = ''): string[] =>
  text
    .split(',')
    .map(tag => tag.trim())
    .filter(Boolean)

const topicOf = (text: string): string => text.trim().replace(/\s+/g, ' ')
const tagsOf = (tags: readonly string[]): string[] => [...new Set(tags.map(tag => tag.trim()))]

const lengthOf = (text: string): number => [...text].length

function topicFault(topic: string): Faults {
  const fault = controlFault(topic)
  if (fault !== undefined) return { topic: fault }
  const length = lengthOf(topic)
  if (length >= 3 && length <= 200) return {}
  return { topic: `must be 3 to 200 characters after trimming; it has ${length}` }
}

function textFaults(task: Texts): Faults {
  const fields = Object.keys(bounds) as (keyof typeof bounds)[]
  return Object.fromEntries(
    fields.flatMap(field => {
      const fault = textFault(task[field] ?? null, bounds[field])
      return fault === null ? [] : [[field, fault]]
    })
  )
}

function tagFaults(tags: readonly string[]): Faults {
  if (tags.length > longest.tags) return { tags: `must be at most ${longest.tags}; they are ${tags.length}` }
  const [fault] = tags.flatMap(tag => textFault(tag, longest.label) ?? [])
  return fault === undefined ? {} : { tags: `each ${fault}` }
}

function textFault(text: string | null, most: number): string | null {
  if (text === null) return null
  if (text.trim() === '') return 'must not be blank'
  const fault = controlFault(text)
  if (fault !== undefined) return fault
  return lengthOf(text) > most ? `must be at most ${most} characters; it has ${lengthOf(text)}` : null
}
