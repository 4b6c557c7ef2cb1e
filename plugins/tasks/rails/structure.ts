import { type Article, readMarkdown, type Section } from '../article.ts'
import type { BuiltInRail } from '../ports.ts'
import { findingOf, quote } from './faults.ts'

/** An introduction, two sections or more, headings in order, nothing empty. */
export const structure: BuiltInRail = {
  name: 'structure',
  describe: 'An introduction, at least two sections, headings in order, no empty section, no H1 in the text.',
  mode: 'required',
  threshold: 70,
  weight: 1,
  check({ content }) {
    const article = readMarkdown(content)
    const faults = [
      ...introductionFaults(article.sections),
      ...headingFaults(article.sections),
      ...emptyFaults(article.sections),
      ...fenceFaults(article)
    ]
    return findingOf(faults, 40, `An introduction and ${article.sections.length - 1} headings in order.`)
  }
}

function introductionFaults(sections: readonly Section[]): string[] {
  const first = sections.findIndex(section => section.depth > 1)
  const opening = first === -1 ? sections : sections.slice(0, first)
  return opening.some(section => section.blocks.length > 0) ? [] : ['no introduction before the first section']
}

function headingFaults(sections: readonly Section[]): string[] {
  const headings = sections.slice(1)
  const faults: string[] = []
  const top = headings.filter(section => section.depth === 2).length
  if (top < 2) faults.push(`${top} section${top === 1 ? '' : 's'} with a ## heading, at least 2 wanted`)
  const seen = new Set<string>()
  let previous = 1
  for (const { heading, depth } of headings) {
    const title = heading ?? ''
    if (depth === 1) faults.push(`the heading ${quote(title)} is an H1, which is the title's: use ##`)
    else if (depth > previous + 1) faults.push(`the heading ${quote(title)} skips from level ${previous} to ${depth}`)
    if (seen.has(title.toLowerCase())) faults.push(`the heading ${quote(title)} stands twice`)
    seen.add(title.toLowerCase())
    previous = depth
  }
  return faults
}

function emptyFaults(sections: readonly Section[]): string[] {
  return sections
    .filter(({ heading, depth, hasBody }, index) => {
      const next = sections[index + 1]
      return heading !== null && depth > 1 && !hasBody && !(next && next.depth > depth)
    })
    .map(({ heading }) => `the section ${quote(heading ?? '')} is empty`)
}

function fenceFaults({ tokens }: Article): string[] {
  const open = tokens.some(({ type, raw }) => {
    const fence = type === 'code' ? /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1] : undefined
    return fence !== undefined && !raw.trimEnd().slice(fence.length).includes(`\n${fence}`)
  })
  return open ? ['a code block is opened and never closed'] : []
}
