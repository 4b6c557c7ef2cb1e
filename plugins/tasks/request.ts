import { InputError, textFault } from '#core'
import { metadataFault } from '#lists'
import { oneLine } from '#text/excerpts'
import type { NewTask } from './repository/tasks.ts'

/** What a task may be created with; only the topic is required. */
export type TaskRequest = Partial<Omit<NewTask, 'source'>> & { topic: string }

/** In characters. */
export const maxTextLength = 200
export const maxLabelLength = 60
export const maxTaskTags = 20

const bounds = {
  category: maxTextLength,
  primary_keyword: maxTextLength,
  target_audience: maxTextLength,
  niche_slug: maxTextLength,
  style: maxLabelLength,
  tone: maxLabelLength,
  source: maxLabelLength
}

/** A request with its defaults, from wherever it came. @throws InputError naming every faulty field */
export function newTask(request: TaskRequest, source: string, defaultLength: number): NewTask {
  const metadata = metadataFault(request.metadata)
  const faults = { ...requestFaults({ ...request, source }), ...(metadata === undefined ? {} : { metadata }) }
  if (Object.keys(faults).length > 0) throw new InputError(faults)
  return {
    topic: oneLine(request.topic),
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

export type RequestFaults = Record<string, string>

type Texts = Readonly<Partial<Record<keyof typeof bounds, string | null | undefined>>>

/** What is wrong with the texts of a request, as far as they are given. */
export function requestFaults({
  topic,
  tags = [],
  ...texts
}: Texts & { topic?: string | undefined; tags?: readonly string[] | undefined }): RequestFaults {
  return {
    ...(topic === undefined ? {} : topicFault(oneLine(topic))),
    ...textFaults(texts),
    ...tagFaults(tagsOf(tags))
  }
}

const tagsOf = (tags: readonly string[]): string[] => [...new Set(tags.map(tag => tag.trim()))]

const lengthOf = (text: string): number => [...text].length

function topicFault(topic: string): RequestFaults {
  const fault = textFault(topic)
  if (fault !== undefined) return { topic: fault }
  const length = lengthOf(topic)
  if (length >= 3 && length <= 200) return {}
  return { topic: `must be 3 to 200 characters after trimming; it has ${length}` }
}

function textFaults(task: Texts): RequestFaults {
  const texts: Readonly<Record<string, string | null | undefined>> = task
  return Object.fromEntries(
    Object.entries(bounds).flatMap(([field, maxLength]) => {
      const fault = lengthFault(texts[field] ?? null, maxLength)
      return fault === null ? [] : [[field, fault]]
    })
  )
}

function tagFaults(tags: readonly string[]): RequestFaults {
  if (tags.length > maxTaskTags) return { tags: `must be at most ${maxTaskTags}; they are ${tags.length}` }
  const [fault] = tags.flatMap(tag => lengthFault(tag, maxLabelLength) ?? [])
  return fault === undefined ? {} : { tags: `each ${fault}` }
}

function lengthFault(text: string | null, maxLength: number): string | null {
  if (text === null) return null
  if (text.trim() === '') return 'must not be blank'
  const fault = textFault(text)
  if (fault !== undefined) return fault
  return lengthOf(text) > maxLength ? `must be at most ${maxLength} characters; it has ${lengthOf(text)}` : null
}
