import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { packageRoot } from '../../core/paths.ts'
import { run } from '../helpers/package.ts'

const [packed] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], packageRoot)) as {
  files: { path: string }[]
}[]
const files = packed?.files.map(file => file.path) ?? []

/** Targets within the package of a page's links; what stands in code is none. */
function linksOf(text: string): string[] {
  const prose = text.replace(/^(`{3,}).*\n[\s\S]*?^\1/gm, '').replace(/(`+)[^`][\s\S]*?\1/g, 'code')
  const inline = [...prose.matchAll(/\]\(\s*<?([^\s)>]+)/g)]
  const references = [...prose.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm)]
  return [...inline, ...references].map(([, target]) => target as string).filter(target => !/^(\w+:|#)/.test(target))
}

const isPacked = (target: string): boolean => files.some(file => file === target || file.startsWith(`${target}/`))

test('links are told from code and from addresses elsewhere', () => {
  const page = '[a](b.md#c) `[d](e)` [f](https://g.h) [i](#j) [`k`](../l)\n```md\n[m](n)\n```\n[o]: p.md "q"\n'
  assert.deepEqual(linksOf(page), ['b.md#c', '../l', 'p.md'])
})

describe('every relative link of a packed page leads to what is packed as well', () => {
  const pages = files.filter(file => file.endsWith('.md'))
  assert.ok(pages.includes('README.md') && pages.includes('docs/plugins.md'), pages.join(' '))
  for (const page of pages) {
    test(page, () => {
      const targets = linksOf(readFileSync(path.join(packageRoot, page), 'utf8'))
      const dead = targets.filter(target => {
        const [file = ''] = target.split('#')
        return !isPacked(path.posix.join(path.posix.dirname(page), decodeURI(file)).replace(/\/$/, ''))
      })
      assert.deepEqual(dead, [])
    })
  }
})

test('the package has no folder core: its absence tells it from the source', () => {
  assert.deepEqual(
    files.filter(file => file.startsWith('core/')),
    []
  )
})
