import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { updateBootstrap } from '../../core/bootstrap-update.ts'

const home = mkdtempSync(path.join(tmpdir(), 'galley-bootstrap-'))
after(() => rmSync(home, { recursive: true, force: true }))
const file = path.join(home, 'bootstrap.env')
const write = (text: string) => writeFileSync(file, text, { mode: 0o600 })
const read = () => readFileSync(file, 'utf8')

beforeEach(() => rmSync(file, { force: true }))

const edits: [title: string, before: string, changes: Record<string, string | null>, after: string][] = [
  ['a value is replaced where it stands', '# a\nA=1\nB=2\n', { A: '3' }, '# a\nA=3\nB=2\n'],
  ['a new key goes to the end', 'A=1\n', { B: '2' }, 'A=1\nB=2\n'],
  ['a last line without a break is no obstacle', 'A=1', { B: '2' }, 'A=1\nB=2\n'],
  ['null removes', 'A=1\nB=2\n', { A: null, C: null }, 'B=2\n'],
  ['a key that stands twice stands once then', 'A=1\nB=2\nA=3\n', { A: '4' }, 'A=4\nB=2\n'],
  ['a key is not another that begins with it', 'A_NEXT=1\n# A=2\nA=3\n', { A: '4' }, 'A_NEXT=1\n# A=2\nA=4\n'],
  ['what needs quotes gets them', 'A=1\n', { A: 'x # y' }, "A='x # y'\n"],
  ['export and blanks are understood', 'export A = 1\n', { A: '2' }, 'A=2\n']
]
for (const [title, before, changes, expected] of edits) {
  test(title, () => {
    write(before)
    updateBootstrap(home, changes)
    assert.equal(read(), expected)
    assert.equal(statSync(file).mode & 0o777, 0o600)
  })
}

test('what a killed process left beside the file does not matter', () => {
  write('A=1\n')
  writeFileSync(`${file}.new`, 'half a li')
  updateBootstrap(home, { A: '2' })
  assert.equal(read(), 'A=2\n')
  assert.deepEqual(
    readdirSync(home).filter(name => name.endsWith('.new')),
    []
  )
})

test('a value over several lines is not spoilt: the edit is refused', () => {
  const text = 'B="one\nA=two\n"\nA=1\n'
  write(text)
  assert.throws(() => updateBootstrap(home, { A: '3' }), /cannot be edited: write \S+ on one line/)
  assert.equal(read(), text)
})

test('a file that is not there, or that others may read, is refused', () => {
  assert.throws(() => updateBootstrap(home, { A: '1' }), /There is no .*bootstrap\.env: run galley setup/)
  write('A=1\n')
  chmodSync(file, 0o644)
  assert.throws(() => updateBootstrap(home, { A: '2' }), /may be read by others/)
  assert.equal(read(), 'A=1\n')
})
