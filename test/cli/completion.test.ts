import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { bashScript } from '../../cli/completion/bash-script.ts'
import { fishScript } from '../../cli/completion/fish-script.ts'
import { completionsOf } from '../../cli/completion/words.ts'
import { zshScript } from '../../cli/completion/zsh-script.ts'
import type { Catalogue } from '../../cli/framework/catalogue.ts'

const catalogue: Catalogue = {
  serve: {
    describe: "Run what's here: all of it",
    args: { 'no-worker': { type: 'boolean', describe: 'Only the API' } }
  },
  posts: {
    describe: 'Posts',
    commands: {
      list: {
        describe: 'List $(them)',
        args: {
          status: { type: 'string', describe: 'A status', options: ['draft', 'published'], alias: 's' },
          limit: { type: 'integer', describe: 'How many' },
          file: { type: 'string', describe: 'A file', completes: 'file' }
        }
      },
      set: {
        describe: 'Set',
        args: {
          name: { type: 'positional', describe: 'A name' },
          state: { type: 'positional', describe: 'On or off', options: ['on', 'off'] },
          file: { type: 'positional', describe: 'A file', completes: 'file' },
          reason: { type: 'string', describe: 'Why' }
        }
      }
    }
  }
}
const completions = completionsOf(catalogue)
const common = ['--json', '--json-output', '--help']

/** What is typed, split as the shell does it, and what may stand in the place of its last word. */
const rows: [typed: string[], offered: string[]][] = [
  [[''], ['serve', 'posts']],
  [['se'], ['serve']],
  [
    ['posts', ''],
    ['list', 'set']
  ],
  [['posts', 'l'], ['list']],
  [['posts', 'list', '--st'], ['--status']],
  [
    ['posts', 'list', '--status', ''],
    ['draft', 'published']
  ],
  [['posts', 'list', '-s', 'p'], ['published']],
  [['posts', 'list', '--limit', ''], []],
  [['posts', 'list', '--file', '/etc/hostn'], ['/etc/hostname']],
  [['posts', 'set', 'o'], []],
  [
    ['posts', 'set', 'it', 'o'],
    ['on', 'off']
  ],
  [
    ['posts', 'set', '--reason', 'why', 'it', '--json', 'o'],
    ['on', 'off']
  ],
  [['posts', 'set', 'it', 'on', '/etc/hostn'], ['/etc/hostname']],
  [
    ['serve', '-'],
    ['--no-worker', ...common]
  ],
  [
    ['serve', 'posts', ''],
    ['--no-worker', ...common]
  ]
]

const folder = mkdtempSync(path.join(tmpdir(), 'galley-completion-'))
after(() => rmSync(folder, { recursive: true }))

const isMissing = (shell: string): string | false =>
  spawnSync(shell, ['--version']).error === undefined ? false : `${shell} is not installed`

function runShell(shell: string, script: string, ...flags: string[]): string {
  const file = path.join(folder, shell)
  writeFileSync(file, script)
  const { status, stdout, stderr } = spawnSync(shell, [...flags, file], { encoding: 'utf8' })
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, shell)
  return stdout
}

test('bash offers commands, flags and values', { skip: isMissing('bash') }, () => {
  const offer = (typed: readonly string[]) =>
    `COMP_WORDS=(galley ${typed.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${typed.length}; _galley; echo "\${COMPREPLY[*]}"`
  const cut = [
    ...rows,
    [['posts', 'list', '--status', '=', 'd'], ['draft']],
    [
      ['posts', 'list', '--status', '='],
      ['draft', 'published']
    ]
  ] as typeof rows
  const output = runShell('bash', [bashScript('galley', completions), ...cut.map(([typed]) => offer(typed))].join('\n'))
  assert.deepEqual(
    output.trimEnd().split('\n'),
    cut.map(([, offered]) => offered.join(' '))
  )
})

test('bash completes npx galley too, and leaves any other npx alone', { skip: isMissing('bash') }, () => {
  const offer = (...words: string[]) =>
    `COMP_WORDS=(npx ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _galley_npx; echo "\${COMPREPLY[*]}"`
  const output = runShell(
    'bash',
    [bashScript('galley', completions), 'complete -p npx', offer('galley', 'po'), offer('tsc', 'po')].join('\n')
  )
  assert.equal(output, 'complete -o default -F _galley_npx npx\nposts\n\n')
})

/** What zsh's own functions are handed: they draw only in a line that is being edited. */
const zshOffers = `_describe() { local name=$@[-1]; print -r -- \${(P)name%%:*} }
compadd() { [[ $1 == -- ]] && shift; print -r -- $@ }
_files() { print files }
_message() { print text }
_default() { print default }
try() { words=("$@"); CURRENT=$#; $_comps[$1] }
`

test('zsh registers itself without compinit, and offers commands, arguments and values', {
  skip: isMissing('zsh')
}, () => {
  const typed = [
    'galley po',
    'galley posts l',
    'galley posts list --status d',
    'galley posts set it o',
    "galley posts set it on ''",
    'npx galley posts set it o',
    'npx tsc po'
  ]
  const script = [`ZDOTDIR=${folder}`, zshScript('galley', completions), zshOffers, ...typed.map(line => `try ${line}`)]
  const offered = ['serve posts', 'list set', 'draft published', 'on off', 'files', 'on off', 'default']
  assert.deepEqual(runShell('zsh', script.join('\n'), '-f').trimEnd().split('\n'), offered)
})

test('fish offers commands, flags and values', { skip: isMissing('fish') }, () => {
  const offer = (typed: readonly string[]) =>
    `echo (complete -C 'galley ${typed.join(' ')}' | string split -f1 \\t | sort)`
  const output = runShell(
    'fish',
    [fishScript('galley', completions), ...rows.map(([typed]) => offer(typed))].join('\n')
  )
  const lines = output.trimEnd().split('\n')
  for (const [index, [typed, offered]] of rows.entries()) {
    const found = (lines[index] ?? '').split(' ')
    // fish offers flags only where a dash is typed, and leaves out the short form's long twin.
    const wanted = typed.at(-1)?.startsWith('-') || !offered.includes('--json') ? offered : []
    for (const word of wanted) assert.ok(found.includes(word), `${typed.join(' ')}: ${lines[index]}`)
  }
})

test('the scripts are right by the shells’ own syntax check', () => {
  const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }
  for (const [shell, script] of Object.entries(scripts)) {
    const text = script('galley', completions)
    assert.match(text, /published/)
    if (!isMissing(shell)) runShell(shell, text, '-n')
  }
})
