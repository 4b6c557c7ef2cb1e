import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'
import { postStatuses } from '../../plugins/posts/states.ts'
import { taskStatuses, transitions } from '../../plugins/tasks/states.ts'

const read = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')

const constraint = (name: string): string[] => {
  const text =
    new RegExp(`constraint ${name} check \\(status in \\(([^)]*)\\)`).exec(
      read('migrations/20261120_000000_baseline.sql')
    )?.[1] ?? ''
  return [...text.matchAll(/'([a-z_]+)'/g)].map(match => match[1] as string)
}

test('the database knows the same statuses as the code', () => {
  assert.deepEqual(constraint('tasks_status').sort(), [...taskStatuses].sort())
  assert.deepEqual(constraint('posts_status').sort(), [...postStatuses].sort())
})

test('only its post, a retry and a cancellation take a task out of a terminal status, and every other status can be left', () => {
  const others: readonly string[] = ['post_published', 'unpublished', 'archived', 'retried', 'cancelled']
  const own = Object.entries(transitions).filter(([name]) => !others.includes(name) && !name.startsWith('restored'))
  const left = new Set<string>(own.flatMap(([, { from }]) => [...from]))
  const terminal = taskStatuses.filter(status => !left.has(status))
  assert.deepEqual(terminal.sort(), ['dismissed', 'failed', 'published', 'rejected', 'rejected_final'])
})

test('a README names files that are there: below it, of another plugin, or by their path', () => {
  const files = globSync(
    '{core,cli,plugins,text,time,coalescing,concurrency,lists,files,requests,child-process,bench,migrations,test}/**/*.{ts,sql}',
    {
      cwd: packageRoot
    }
  )
  const missing = globSync('{core,plugins,text,bench}/**/README.md', { cwd: packageRoot }).flatMap(readme => {
    const folder = path.dirname(readme)
    const below = files.filter(file => file.startsWith(`${folder}/`))
    const isThere = (name: string) =>
      below.some(file => file.endsWith(`/${name}`)) || files.includes(name) || files.includes(`plugins/${name}`)
    const named = [...read(readme).matchAll(/`([\w/.-]+\.(?:ts|sql))`/g)].map(([, name = '']) => name)
    return named.filter(name => !isThere(name)).map(name => `${readme}: ${name}`)
  })
  assert.deepEqual(missing, [])
})
