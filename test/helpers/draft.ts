import type { Assignment, Draft } from '../../plugins/tasks/ports.ts'

const mvcc = `# Versions of rows
PostgreSQL keeps several versions of each row. A reader sees the versions that were committed when its snapshot was taken.
A writer never overwrites a row in place: an update adds a new version and marks the old one as expired. Readers therefore
never wait for writers, and writers never wait for readers. The documentation calls this "multiversion concurrency control
for short" in its chapter 13. Each version carries two transaction numbers, xmin and xmax, of 32 bits each.`

const vacuum = `# Vacuum
Expired versions take up space until vacuum removes them. Autovacuum starts when 20 percent of a table's rows have changed.
A transaction that stays open for hours keeps old versions alive, because its snapshot may still need them. Tables then grow,
and every scan reads more pages than it should.`

const good = `PostgreSQL keeps several versions of each row. Readers never wait for writers, since each update adds a new
version of a row and marks the old one as expired [1].

## Versions and snapshots

A reader sees the versions that were committed when its snapshot was taken [1]. Each version carries two transaction numbers,
xmin and xmax, of 32 bits each [1].

## Cleaning up

Expired versions take up space until vacuum removes them [2]. Autovacuum starts when 20 percent of a table's rows have
changed, while a transaction that stays open for hours keeps old versions alive [2].

## Sources

1. [Versions of rows](https://example.org/mvcc)
2. Vacuum`

/** An assignment with two sources; `changes` replaces parts of it. */
export function anAssignment(changes: Partial<Assignment> = {}): Assignment {
  return {
    topic: 'How PostgreSQL keeps readers and writers apart',
    category: null,
    tags: [],
    primary_keyword: null,
    target_length: 100,
    style: 'informative',
    tone: 'neutral',
    target_audience: null,
    feedback: null,
    previous: null,
    sources: [
      { source_id: 'mvcc', title: 'Versions of rows', text: mvcc, url: 'https://example.org/mvcc' },
      { source_id: 'vacuum', title: 'Vacuum', text: vacuum, url: null }
    ],
    ...changes
  }
}

/** A draft that every built-in rail passes for `anAssignment()`; `changes` replaces parts of it. */
export function aDraft(changes: Partial<Draft> = {}): Draft {
  return {
    title: 'How PostgreSQL keeps readers and writers apart',
    excerpt: 'Readers never wait for writers: PostgreSQL keeps several versions of each row.',
    content: good,
    source_ids: ['mvcc', 'vacuum'],
    model: 'embedded',
    isExtractive: true,
    ...changes
  }
}

/** The good draft's content with one passage replaced. @throws when the passage is not in it. */
export function edited(passage: string, replacement: string): string {
  if (!good.includes(passage)) throw new Error(`The good draft has no passage ${JSON.stringify(passage)}.`)
  return good.replace(passage, replacement)
}

/** The good draft's content with a paragraph put before its Sources list. */
export function extended(paragraph: string): string {
  return edited('## Sources', `${paragraph}\n\n## Sources`)
}
