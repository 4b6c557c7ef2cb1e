import { type RequestFaults, requestFaults } from '../request.ts'

type Flag = 'topic' | 'keyword' | 'tags' | 'category' | 'source' | 'style' | 'tone' | 'audience' | 'niche'

/** What is wrong with the flags of a task or topic, under their own names, which are shorter than the fields'. */
export function flagFaults(flags: Readonly<Partial<Record<Flag, string | undefined>>>): RequestFaults {
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
