import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { faultOfPlugin, nameFaultsOf } from '../../../core/isolation/plugin-faults.ts'
import { packageRoot } from '../../../core/paths.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'galley-faults (a)-')))
after(() => rmSync(folder, { recursive: true }))

function write(file: string, text = ''): string {
  const target = path.join(folder, file)
  mkdirSync(path.dirname(target), { recursive: true })
  writeFileSync(target, text)
  return target
}

for (const name of ['one', 'two']) write(`${name}/package.json`, '{}')
nameFaultsOf('one', write('one/dist/plugin.js'))
nameFaultsOf('two', write('two/plugin.js'))
nameFaultsOf('left', write('shared/left.js'))
nameFaultsOf('right', write('shared/right.js'))
const linked = write('elsewhere/plugin.js')
symlinkSync(path.dirname(linked), path.join(folder, 'link'))
nameFaultsOf('linked', path.join(folder, 'link/plugin.js'))
nameFaultsOf('in-the-source', path.join(packageRoot, 'test/fixtures/plugins/misbehaving/open-route.ts'))

const inFolder = (file: string) => path.join(folder, file)
const at = (...files: string[]): Error =>
  Object.assign(new Error('not today'), {
    stack: [
      'Error: not today',
      ...files.map(file => `    at ${file}:3:7${file.includes(' (file') || file.startsWith('async work') ? ')' : ''}`),
      '    at node:internal/timers:685:17'
    ].join('\n')
  })
const timer = (file: string) => `Timeout._onTimeout (${pathToFileURL(inFolder(file)).href}`

const named: [title: string, error: Error, plugin: string | undefined][] = [
  ['its own module', at(timer('two/plugin.js')), 'two'],
  ['another module of its package', at(`async work (${inFolder('one/lib/work.cjs')}`), 'one'],
  ['a bare frame', at(`async ${pathToFileURL(inFolder('two/deep/er.js')).href}`), 'two'],
  [
    'code of galley that it called',
    at(path.join(packageRoot, 'core/kernel/lifecycle.ts'), timer('two/plugin.js')),
    'two'
  ],
  ['what stands behind a link', at(linked), 'linked'],
  ['one of two modules in a folder', at(inFolder('shared/right.js')), 'right'],
  ['what two of them share', at(inFolder('shared/common.js')), undefined],
  ['a package inside its own', at(inFolder('two/node_modules/pg/index.js')), undefined],
  ['galley’s code alone', at(path.join(packageRoot, 'plugins/posts/plugin.ts')), undefined],
  ['files of another host', at('file://elsewhere/plugin.js'), undefined],
  ['a module of nobody', at(inFolder('nobody.js')), undefined]
]
for (const [title, error, plugin] of named) {
  test(`a stack that points into ${title} is the fault of ${plugin ?? 'nobody known'}`, () => {
    const words = `the plugin ${plugin} threw outside any request: not today; remove or disable it with \`galley plugins disable ${plugin}\``
    assert.equal(faultOfPlugin(error), plugin === undefined ? undefined : words)
  })
}

test('what is thrown without a stack is the fault of nobody known', () => {
  for (const reason of [undefined, null, 'no', 7, { stack: 7 }]) assert.equal(faultOfPlugin(reason), undefined)
})
