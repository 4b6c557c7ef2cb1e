import { InputError } from '#core'
import type { NewTask } from './repository.ts'

/** What a task may be created with; only the topic is required. */
export type TaskRequest = Partial<Omit<NewTask, 'source'>> & { topic: string }

/** Longest texts, in characters, and the most tags. */
export const longest = { text: 200, label: 60, tags: 20 }

const bounds = {
  ...{ category: longest.text, primary_keyword: longest.text, target_audience: longest.text, niche_slug: longest.text },
  ...{ style: longest.label, tone: longest.label, source: longest.label }
}

/** A request with its defaults, from wherever it came. @throws InputError naming every faulty field */
export function newTask(request: TaskRequest, source: string, defaultLength: number): NewTask {
  const topic = request.topic.trim().replace(/\s+/g, ' ')
  const tags = [...new Set((request.tags ?? []).map(tag => tag.trim()))]
  const task = {
    ...{ topic, tags, source },
    category: request.category ?? null,
    primary_keyword: request.primary_keyword ?? null,
    target_length: request.target_length ?? defaultLength,
    style: request.style ?? 'technical',
    tone: request.tone ?? 'professional',
    target_audience: request.target_audience ?? null,
    niche_slug: request.niche_slug ?? null,
    metadata: request.metadata ?? {}
  }
  const faults = { ...topicFault(topic), ...textFaults(task), ...tagFaults(tags) }
  if (Object.keys(faults).length > 0) throw new InputError(faults)
  return task
}

type Faults = Record<string, string>

const lengthOf = (text: string): number => [...text].length

function topicFault(topic: string): Faults {
  const length = lengthOf(topic)
  if (length >= 3 && length <= 200) return {}
  return { topic: `must be 3 to 200 characters after trimming; it has ${length}` }
}

function textFaults(task: Record<keyof typeof bounds, string | null>): Faults {
  const fields = Object.keys(bounds) as (keyof typeof bounds)[]
  return Object.fromEntries(
    fields.flatMap(field => {
      const fault = textFault(task[field], bounds[field])
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
  return lengthOf(text) > most ? `must be at most ${most} characters; it has ${lengthOf(text)}` : null
}
